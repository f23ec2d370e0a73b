import { NotAccepted } from '../driver.ts'
import { objectIn } from '../upstream/read-json.ts'
import type { ReplicateConnection } from './connection.ts'

const schemaCacheMs = 60 * 60_000

/**
 * Checks the input names of a submit against the model's published schema, because models silently
 * ignore unknown inputs. If the schema cannot be read, nothing is checked.
 */
export class ModelInputs {
  readonly #connection: ReplicateConnection
  #cache: { names: ReadonlySet<string>; readAtMs: number } | null = null

  constructor(connection: ReplicateConnection) {
    this.#connection = connection
  }

  /** Throws `NotAccepted` if the model does not have one of the inputs. */
  async requireKnown(input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<void> {
    const names = await this.#readNames(signal)
    const unknownName = Object.keys(input).find((name) => !names.has(name))
    if (names.size === 0 || unknownName === undefined) return
    const availableNames = [...names].join(', ')
    throw new NotAccepted(
      'unavailable',
      `the model has no input "${unknownName}", only ${availableNames}; map it in the route's parameters`,
    )
  }

  /** Returns the names of the model's inputs. Empty if they cannot be read. */
  async #readNames(signal: AbortSignal): Promise<ReadonlySet<string>> {
    const { target, tools, headers } = this.#connection
    const nowMs = tools.clock()
    if (this.#cache !== null && Math.abs(nowMs - this.#cache.readAtMs) < schemaCacheMs) return this.#cache.names
    const [name = '', version] = target.model.split(':')
    if (!name.includes('/') || name.startsWith('deployments/')) return new Set()
    const url = `${target.baseUrl}/models/${name}${version === undefined ? '' : `/versions/${version}`}`
    const response = await tools.call({ method: 'GET', url, headers, signal, timeoutMs: 10_000 }).catch(() => null)
    const body = objectIn(response?.json)
    const { openapi_schema: schema } = version === undefined ? objectIn(body['latest_version']) : body
    const schemas = objectIn(objectIn(objectIn(schema)['components'])['schemas'])
    const names = new Set(Object.keys(objectIn(objectIn(schemas['Input'])['properties'])))
    if (names.size > 0) this.#cache = { names, readAtMs: nowMs }
    return names
  }
}
