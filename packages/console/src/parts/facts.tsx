import type { ComponentChildren } from 'preact'

type Fact = readonly [name: string, value: ComponentChildren]

/** List of names and values, such as the properties of an object. False entries are omitted. */
export function Facts({ facts }: { facts: readonly (Fact | false)[] }) {
  return (
    <dl class="facts">
      {facts
        .filter((fact) => fact !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
