import type { Model } from '../model.ts'
import type { Paths } from './document-types.ts'
import { examples } from './examples.ts'
import { getTask, submitTask } from './submit-and-get.ts'

export interface VideoFamily {
  /** Name of the family in the path, such as `vidC`. */
  name: string
  /** Name of the component for the request body. */
  body: string
  models: readonly Model[]
}

/** The families of the v1 API in the order of the catalogue. */
export function videoFamilies(models: readonly Model[]): VideoFamily[] {
  const byUrl = Map.groupBy(
    models.filter(({ endpoints }) => endpoints.v1 !== undefined),
    ({ endpoints }) => endpoints.v1 ?? '',
  )
  return [...byUrl].map(([url, familyModels]) => {
    const name = url.split('/')[2] ?? ''
    return { name, body: `${capitalize(name)}Request`, models: familyModels }
  })
}

/**
 * Operations of the v1 API. The specification describes only the family vidC. The other families
 * have the same form.
 */
export function videoOperations(models: readonly Model[]): Paths {
  return Object.fromEntries(
    videoFamilies(models).flatMap((family) => {
      const { name, body } = family
      const isSpecified = name === 'vidC'
      const source = isSpecified ? 'specification 2.5 and 4.3.' : 'specification 2.6, in the format of section 4.3 for vidC.'
      const getId = `get${capitalize(name)}Video`
      const post = submitTask({
        id: `create${capitalize(name)}Video`,
        tag: 'Videos',
        summary: `Create a ${name} video`,
        source,
        body,
        task: 'VideoTask',
        models: family.models,
        errors: ['BadVideoTask'],
        examples: isSpecified ? { video: examples.v1Queued } : {},
        query: { operationId: getId, parameter: 'task_id' },
      })
      const get = getTask({
        id: getId,
        tag: 'Videos',
        summary: `Query a ${name} video`,
        source,
        taskId: 'VideoTaskId',
        acceptedTasks: 'Returns any task of the account, including tasks of other families and of the v2 API.',
        task: 'VideoTask',
        examples: isSpecified ? { video: examples.v1Completed } : {},
      })
      return [
        [`/v1/${name}/videos`, { post }],
        [`/v1/${name}/videos/{task_id}`, { get }],
      ]
    }),
  )
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
