"""HTML of tasks for notebooks. IPython calls `_repr_html_`, so the package does not depend on IPython."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from html import escape

from ..types import TaskData

EMBEDDED_BYTES_MAX = 10 * 1024 * 1024
"""Maximum size of an embedded result. A larger result would make the notebook slow to open."""
WIDTH = 480


def task_html(task: TaskData) -> str:
    """Returns HTML that shows the text, images or videos of the task or, if it has no result, its status."""
    if task.result_url is None:
        reason = "" if task.error is None else f": {task.error}"
        text = f"{task.model}: {task.status}, {task.progress} %{reason}"
        return f"<p>{escape(text)}</p>"
    if task.text is not None:
        return f"<pre>{escape(task.text)}</pre>"
    links = [(result.url, result.thumbnail_url) for result in task.results or []]
    return "".join(media_html(task, *link) for link in links or [(task.result_url, task.thumbnail_url)])


def media_html(task: TaskData, source: str, poster: str | None) -> str:
    title = escape(f"{task.model} {task.id}")
    if task.object == "video":
        poster_attribute = "" if poster is None else f' poster="{escape(poster)}"'
        return f'<video controls loop width="{WIDTH}" src="{escape(source)}"{poster_attribute} title="{title}"></video>'
    return f'<img width="{WIDTH}" src="{escape(source)}" alt="{title}">'


@dataclass(frozen=True)
class EmbeddedResult:
    """A result embedded in the notebook, which stays visible after its link has expired."""

    html: str

    def __repr__(self) -> str:
        return f"EmbeddedResult({len(self.html)} characters)"

    def _repr_html_(self) -> str:
        return self.html


def embedded(task: TaskData, content: bytes, result: int = 0) -> EmbeddedResult:
    if task.object == "text":
        return EmbeddedResult(f"<pre>{escape(content.decode('utf-8', 'replace'))}</pre>")
    default_type = "video/mp4" if task.object == "video" else "image/png"
    media_type = task.results[result].type if task.results else default_type
    data = base64.b64encode(content).decode()
    return EmbeddedResult(media_html(task, f"data:{media_type};base64,{data}", None))
