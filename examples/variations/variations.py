"""Makes variations of an image within a budget. A second run continues where the first one stopped."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import Final

from framegate import AsyncFramegate, FramegateError

MODEL: Final = "imgA-5.0"
MOODS = ["at dawn", "in the rain", "at night", "in winter", "in fog", "at noon", "in a storm", "under stars"]
STYLES = ["as a watercolor", "as a photo", "as a woodcut", "as an oil painting", "in pastel", "in ink"]
RUNNING_MAX = 8


async def main() -> None:
    options = read_options()
    options.out.mkdir(parents=True, exist_ok=True)
    async with AsyncFramegate() as client:
        quote = await client.tasks.quote(model=MODEL, prompt=options.prompt)
        count = min(options.count, affordable(options.budget, quote.amount))
        print(f"{count} of {options.count} images fit the budget, at {quote.amount:g} credits each")
        slots = asyncio.Semaphore(RUNNING_MAX)
        calls = [make(client, slots, options.prompt, number, options.out, quote.amount) for number in range(count)]
        spent = sum(await asyncio.gather(*calls))
    print(f"{spent:g} credits spent in this run, {len(list(options.out.glob('*.png')))} images in {options.out}")


def affordable(budget: float, price: float) -> int:
    # The service counts millionths of credits. With floating-point numbers, 0.3 // 0.1 would be 2.
    return round(budget * 1e6) // max(round(price * 1e6), 1)


async def make(
    client: AsyncFramegate, slots: asyncio.Semaphore, prompt: str, number: int, folder: Path, price: float
) -> float:
    """Makes one image, unless an earlier run has made it. Returns its cost."""
    path = folder / f"{number:03}.png"
    if path.exists():
        return 0
    mood, style = MOODS[number % len(MOODS)], STYLES[number % len(STYLES)]
    async with slots:
        try:
            task = await client.generate(
                model=MODEL,
                prompt=f"{prompt}, {mood}, {style}",
                seed=number,
                max_amount=price,
                idempotency_key=f"{folder.name}-{number}",
            )
            await task.save(path)
        except FramegateError as error:
            print(f"{path.name}: {error.code}: {error}")
            return 0
    return task.amount


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("prompt")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--budget", type=float, required=True, help="maximum number of credits to spend")
    parser.add_argument("--out", type=Path, default=Path("variations"))
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main())
