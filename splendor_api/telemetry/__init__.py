"""What the service tells its operators: log lines and counts. A leaf: it knows no other room."""
