"""The kernel: what the games share. It knows none of them."""
