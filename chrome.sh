setsid /usr/lib/chromium/chromium-headless-shell --no-sandbox --remote-debugging-port=9351 --user-data-dir=/tmp/w/prof --hide-scrollbars > /tmp/w/chrome.log 2>&1 &
echo $! > /tmp/w/chrome.pid
