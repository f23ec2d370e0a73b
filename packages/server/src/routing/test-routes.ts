import { setTimeout as sleep } from 'node:timers/promises'
import { ProbeError } from '../drivers/upstream/probe-error.ts'
import { capitalize } from '../lib/capitalized.ts'
import { toSentence, sentenceOf } from '../lib/field-violation.ts'
import { Semaphore } from '../lib/semaphore.ts'
import { embeddedName, everyModel } from './configuration/definitions.ts'
import { hasNameConflict, type RouteEntry } from './configuration/merge-routing.ts'
import type { RouteHealth } from './route-health.ts'
import type { Routes } from './routes.ts'

const concurrentTestsMax = 16
const testMsMax = 25_000

export interface RouteTestResult {
  route: string
  model: string
  upstream: string
  outcome: 'ok' | 'failed' | 'no_free_probe' | 'set_aside'
  message: string | null
}

interface TestedModel {
  id: string
  object: string
}

/**
 * Sends a request that is free of charge to the upstream of each of these routes. With `model`,
 * only the routes that serve this model are tested. The pauses of the upstream and the route end if
 * the request succeeds, or if the upstream responds that it does not support the request.
 */
export async function testRoutes(
  entries: readonly RouteEntry[],
  routes: Pick<Routes, 'routeOf'> & { health: Pick<RouteHealth, 'recordSuccess'> },
  model?: TestedModel,
): Promise<RouteTestResult[]> {
  const semaphore = new Semaphore(concurrentTestsMax)
  const deadline = AbortSignal.timeout(testMsMax)
  const testedEntries = model === undefined ? entries : servingEntries(entries, model)

  /** Resolves to null when the probe succeeds. */
  async function probeErrorOf(probe: () => Promise<void>): Promise<Error | null> {
    const timeoutError = new Error(`no response arrived within ${testMsMax / 1000} seconds`)
    if (!(await semaphore.acquire(deadline))) return timeoutError
    const timeoutController = new AbortController()
    try {
      const timeoutReached = sleep(testMsMax, timeoutError, {
        signal: AbortSignal.any([timeoutController.signal, deadline]),
      }).catch(() => timeoutError)
      return await Promise.race([probe().then(() => null), timeoutReached])
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    } finally {
      timeoutController.abort()
      semaphore.release()
    }
  }

  async function outcomeOf({ raw, definition, violations }: RouteEntry): Promise<Pick<RouteTestResult, 'outcome' | 'message'>> {
    const route = definition && routes.routeOf(definition)
    if (route === undefined) return { outcome: 'set_aside', message: violations.map(sentenceOf).join(' ') }
    const { probe } = route.settings
    if (probe === null) return { outcome: raw['upstream'] === embeddedName ? 'ok' : 'no_free_probe', message: null }
    const error = await probeErrorOf(probe)
    const message = error === null ? null : toSentence(capitalize(error.message))
    const isUnsupported = error instanceof ProbeError && error.reason === 'unsupported'
    if (error !== null && !isUnsupported) return { outcome: 'failed', message }
    await routes.health.recordSuccess(route)
    return { outcome: isUnsupported ? 'no_free_probe' : 'ok', message }
  }

  return Promise.all(
    testedEntries.map(async (entry) => {
      const { name: route, raw } = entry
      const { outcome, message } = await outcomeOf(entry)
      return { route, model: String(raw['model']), upstream: String(raw['upstream']), outcome, message }
    }),
  )
}

/**
 * Returns the routes of the model, including disabled ones. If an image or video model has no
 * routes, also returns the routes for `*`. A stored route does not count for this if a route of the
 * file has the same name, because the route of the file replaces it.
 */
function servingEntries(entries: readonly RouteEntry[], { id, object }: TestedModel): readonly RouteEntry[] {
  const entriesOfModel = entries.filter(({ raw }) => raw['model'] === id)
  if (!entriesOfModel.every(hasNameConflict) || (object !== 'image' && object !== 'video')) return entriesOfModel
  return [...entriesOfModel, ...entries.filter(({ raw }) => raw['model'] === everyModel)]
}
