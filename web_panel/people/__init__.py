"""Who is at the table: phones, people and their names, seats, joining, what each may do. It draws no page."""
