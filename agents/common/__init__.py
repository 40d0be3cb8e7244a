"""What training, tournaments and the table share: workers, locks, interrupts, extras."""
