"""The processes of the service."""
