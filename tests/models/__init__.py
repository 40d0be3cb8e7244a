"""What language models play by and learn in. Nothing here uses a network beyond this machine."""
