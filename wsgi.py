"""The WSGI application `app`, for a server of one's own; `python -m splendor_api serve` has one."""

import sys

from splendor_api import settings
from splendor_api.app import started
from splendor_api.telemetry import logs

try:
    _chosen = settings.from_environment()
except settings.SettingsError as error:
    sys.stderr.write(f"{error}\n")
    sys.exit(2)

logs.configure(_chosen.log_level, _chosen.log_format)
app = started(_chosen)
