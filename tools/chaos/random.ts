/** Random numbers from a seed (mulberry32), so that a schedule of faults can be repeated. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** Returns a number from `low` (inclusive) to `high` (exclusive). */
  between(low: number, high: number): number {
    return low + this.next() * (high - low)
  }

  integerBelow(count: number): number {
    return Math.floor(this.next() * count)
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.integerBelow(items.length)]
    if (item === undefined) throw new Error('there is nothing to choose from')
    return item
  }

  /** Picks a name, with a probability proportional to its weight. */
  pickWeighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const names = Object.keys(weights) as Name[]
    let remainingWeight = this.next() * names.reduce((sum, name) => sum + weights[name], 0)
    for (const name of names) {
      remainingWeight -= weights[name]
      if (remainingWeight < 0) return name
    }
    return this.pick(names)
  }
}
