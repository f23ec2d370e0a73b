import { ImportError } from '../catalogue/import/import-error.ts'
import { shortName } from '../catalogue/import/resolve-schema.ts'
import type { UpstreamDefinition } from '../routing/configuration/definitions.ts'
import type { UpstreamEntry } from '../routing/configuration/merge-routing.ts'

/**
 * Returns the upstream for an import: the named one, or the only one with the required driver.
 * `form` is the form of a source that contains the name.
 */
export function chooseUpstream(
  entries: readonly UpstreamEntry[],
  driver: string,
  name: string | undefined,
  form?: string,
): UpstreamDefinition {
  const usableUpstreams = entries.flatMap(({ definition }) => definition ?? [])
  const fittingUpstreams = usableUpstreams.filter((candidate) => candidate.driver.name === driver)
  const fittingNames = fittingUpstreams.map((candidate) => candidate.name).join(', ')
  if (name !== undefined) {
    const namedUpstream = usableUpstreams.find((candidate) => candidate.name === name)
    if (namedUpstream === undefined) {
      const correctForm = form === undefined ? '' : ` The source must be ${form}.`
      const fitting =
        fittingNames === '' ? `No upstream has the driver ${driver}` : `Upstreams with the driver ${driver}: ${fittingNames}`
      throw new ImportError(`There is no upstream ${shortName(name)}.${correctForm} ${fitting}.`)
    }
    if (namedUpstream.driver.name === driver) return namedUpstream
    throw new ImportError(
      `The upstream ${name} has the driver ${namedUpstream.driver.name}; this source needs the driver ${driver}.`,
    )
  }
  const [firstUpstream, ...otherUpstreams] = fittingUpstreams
  if (firstUpstream === undefined) {
    throw new ImportError(
      `There is no upstream with the driver ${driver}; set one with framegate upstreams set NAME --driver ${driver}.`,
    )
  }
  if (otherUpstreams.length === 0) return firstUpstream
  throw new ImportError(`Several upstreams have the driver ${driver} (${fittingNames}); name one of them.`)
}
