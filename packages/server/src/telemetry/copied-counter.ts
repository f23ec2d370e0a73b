import { Counter, type Registry } from 'prom-client'

/**
 * Adds a counter whose values are copied on each scrape. It is for hot counters: prom-client's label
 * lookup is too slow for them, so the caller counts in a map.
 */
export function addCopiedCounter<Label extends string>(
  registry: Registry,
  { name, help, labelNames }: { name: string; help: string; labelNames: Label[] },
  copy: (counter: Counter<Label>) => void,
): void {
  const counter: Counter<Label> = new Counter({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      counter.reset()
      copy(counter)
    },
  })
}

export function incrementCount<Name>(counts: Map<Name, number>, name: Name, increment = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + increment)
}
