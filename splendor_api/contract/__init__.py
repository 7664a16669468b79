"""The contract: `openapi.yaml`, and whether it says what the service does.

`document` reads the file, `generated` writes the blocks of it that the code owns, `examples` asks
the service for the answers that the file shows.
"""
