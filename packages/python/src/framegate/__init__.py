"""Client of Framegate, a self-hosted gateway for AI video and image generation."""

from ._async.client import AsyncFramegate
from ._async.page import AsyncPage, AsyncPager
from ._async.task import AsyncTask
from ._core.download import DownloadProgress
from ._core.notebook import EmbeddedResult
from ._sync.client import Framegate
from ._sync.page import Page
from ._sync.task import Task
from ._version import __version__
from .errors import (
    APIConnectionError,
    APIError,
    APITimeoutError,
    AuthenticationError,
    BadRequestError,
    ConfigurationError,
    ConflictError,
    DownloadError,
    FramegateError,
    InsufficientCreditsError,
    InternalServerError,
    InvalidSignatureError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    TaskFailedError,
    Violation,
    WaitTimeoutError,
)
from .inputs import FileInput, HeaderFields, MediaInput
from .simulation import Simulation
from .types import (
    Asset,
    Balance,
    CreditEntry,
    CreditsLowEvent,
    Event,
    Model,
    ModelId,
    OtherEvent,
    Quote,
    TaskData,
    TaskEvent,
    TaskResult,
    Timeline,
    UsageReport,
    Webhook,
    WebhookDelivery,
    WebhookTestEvent,
)
from .webhooks import unwrap_webhook

__all__ = [
    "APIConnectionError",
    "APIError",
    "APITimeoutError",
    "Asset",
    "AsyncFramegate",
    "AsyncPage",
    "AsyncPager",
    "AsyncTask",
    "AuthenticationError",
    "BadRequestError",
    "Balance",
    "ConfigurationError",
    "ConflictError",
    "CreditEntry",
    "CreditsLowEvent",
    "DownloadError",
    "DownloadProgress",
    "EmbeddedResult",
    "Event",
    "FileInput",
    "Framegate",
    "FramegateError",
    "HeaderFields",
    "InsufficientCreditsError",
    "InternalServerError",
    "InvalidSignatureError",
    "MediaInput",
    "Model",
    "ModelId",
    "NotFoundError",
    "OtherEvent",
    "Page",
    "PermissionDeniedError",
    "Quote",
    "RateLimitError",
    "Simulation",
    "Task",
    "TaskData",
    "TaskEvent",
    "TaskFailedError",
    "TaskResult",
    "Timeline",
    "UsageReport",
    "Violation",
    "WaitTimeoutError",
    "Webhook",
    "WebhookDelivery",
    "WebhookTestEvent",
    "__version__",
    "unwrap_webhook",
]
