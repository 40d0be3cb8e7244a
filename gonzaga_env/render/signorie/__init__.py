"""Pictures of Signorie."""
