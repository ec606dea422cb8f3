"""What a phone is told while its page is not open: notices by Web Push."""
