import { ImportError } from '../catalogue/import/import-error.ts'
import { shortName } from '../catalogue/import/resolve-schema.ts'
import type { UpstreamDefinition } from '../routing/configuration/definitions.ts'
import type { UpstreamEntry } from '../routing/configuration/merge-routing.ts'

/** Returns the upstream for an import: the named one, or the only one with the required driver. */
export function chooseUpstream(entries: readonly UpstreamEntry[], driver: string, name: string | undefined): UpstreamDefinition {
  const usableUpstreams = entries.flatMap(({ definition }) => definition ?? [])
  if (name !== undefined) {
    const namedUpstream = usableUpstreams.find((candidate) => candidate.name === name)
    if (namedUpstream === undefined)
      throw new ImportError(`There is no upstream ${shortName(name)}; framegate upstreams list shows all upstreams.`)
    if (namedUpstream.driver.name === driver) return namedUpstream
    throw new ImportError(
      `The upstream ${name} has the driver ${namedUpstream.driver.name}; this source needs the driver ${driver}.`,
    )
  }
  const fittingUpstreams = usableUpstreams.filter((candidate) => candidate.driver.name === driver)
  const [firstUpstream, ...otherUpstreams] = fittingUpstreams
  if (firstUpstream === undefined) {
    throw new ImportError(
      `There is no upstream with the driver ${driver}; set one with framegate upstreams set NAME --driver ${driver}.`,
    )
  }
  if (otherUpstreams.length === 0) return firstUpstream
  throw new ImportError(
    `Several upstreams have the driver ${driver} (${fittingUpstreams.map((candidate) => candidate.name).join(', ')}); name one of them.`,
  )
}
