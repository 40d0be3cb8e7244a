"""What the commands share: arguments, timing, tables and fresh processes."""
