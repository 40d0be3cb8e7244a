"""Files of editions: reading them, and checks of their structure."""
