import type { GenerationParameters } from '../../packages/server/src/catalogue/generation-parameters.ts'
import { keyedProtocol, keylessProtocol, queueProtocol, type UpstreamProtocol } from './upstream-protocols.ts'

/** A parameter that some upstream models accept and others reject. */
export type SpecialParameter = 'seed' | 'audio' | 'negative_prompt'

export interface TrialUpstream {
  name: string
  protocol: UpstreamProtocol
  inFlightMax: number
}

/**
 * A route. No other route to the same upstream has the same upstream model, so that a submit
 * identifies its route.
 */
export interface TrialRoute {
  name: string
  model: string
  upstream: string
  upstreamModel: string
  /** Parameters that the driver rejects for this upstream model. */
  refuses: readonly SpecialParameter[]
  priority: number
  weight: number
  /** Maximum number of concurrent attempts. Null if only the upstream's limit applies. */
  inFlightMax: number | null
}

export interface TrialModel {
  id: string
  seconds: number
  /** Special parameters of the model. A request has one of them or none. */
  parameters: readonly SpecialParameter[]
  /** Relative frequency of submits for this model. */
  weight: number
}

export const trialUpstreams: readonly TrialUpstream[] = [
  { name: 'north', protocol: keyedProtocol, inFlightMax: 30 },
  { name: 'east', protocol: keylessProtocol, inFlightMax: 18 },
  { name: 'south', protocol: queueProtocol, inFlightMax: 30 },
]

/** The first model gets enough submits to use all slots of its upstreams. */
export const trialModels: readonly TrialModel[] = [
  { id: 'vidK O3 Video Generation', seconds: 5, parameters: ['seed', 'audio', 'negative_prompt'], weight: 4 },
  { id: 'sd_2.0_special', seconds: 5, parameters: ['seed', 'audio', 'negative_prompt'], weight: 2 },
  { id: 'vidB_2_0_fast', seconds: 5, parameters: ['seed', 'audio'], weight: 1 },
  { id: 'veo-3.1-fast', seconds: 8, parameters: ['seed', 'audio', 'negative_prompt'], weight: 1 },
  { id: 'vidB_2_0', seconds: 5, parameters: ['audio'], weight: 1 },
  { id: 'sd_2.5_discount_v1', seconds: 5, parameters: ['seed', 'audio', 'negative_prompt'], weight: 1 },
]

const north = { upstream: 'north', refuses: [], priority: 0, weight: 1, inFlightMax: null } as const
const east = { ...north, upstream: 'east', refuses: ['seed', 'audio', 'negative_prompt'] } as const
const south = { ...north, upstream: 'south' } as const

export const trialRoutes: readonly TrialRoute[] = [
  { ...north, name: 'k-north', model: 'vidK O3 Video Generation', upstreamModel: 'k', weight: 3 },
  { ...east, name: 'k-east', model: 'vidK O3 Video Generation', upstreamModel: 'k', weight: 1 },
  {
    ...south,
    name: 'k-south',
    model: 'vidK O3 Video Generation',
    upstreamModel: 'fal-ai/kling-video/v3/standard/text-to-video',
    refuses: ['seed'],
    priority: 10,
    inFlightMax: 18,
  },
  { ...north, name: 's-north', model: 'sd_2.0_special', upstreamModel: 's', weight: 3, inFlightMax: 18 },
  {
    ...south,
    name: 's-south',
    model: 'sd_2.0_special',
    upstreamModel: 'bytedance/seedance-2.0/text-to-video',
    refuses: ['negative_prompt'],
    weight: 1,
    inFlightMax: 9,
  },
  { ...east, name: 's-east', model: 'sd_2.0_special', upstreamModel: 's', priority: 10 },
  { ...east, name: 'b-east', model: 'vidB_2_0_fast', upstreamModel: 'b', inFlightMax: 9 },
  { ...north, name: 'b-north', model: 'vidB_2_0_fast', upstreamModel: 'b', priority: 5 },
  { ...south, name: 'v-south', model: 'veo-3.1-fast', upstreamModel: 'fal-ai/wan/v2.7/text-to-video', refuses: ['audio'] },
  { ...north, name: 'v-north', model: 'veo-3.1-fast', upstreamModel: 'v', inFlightMax: 9 },
  {
    ...south,
    name: 'e-south',
    model: 'vidB_2_0',
    upstreamModel: 'bytedance/seedance-2.0/fast/text-to-video',
    refuses: ['negative_prompt'],
    inFlightMax: 9,
  },
  { ...east, name: 'e-east', model: 'vidB_2_0', upstreamModel: 'e', priority: 10 },
  { ...north, name: 'd-north', model: 'sd_2.5_discount_v1', upstreamModel: 'd', inFlightMax: 9 },
]

/** Seconds for which a route may be full before routes with the next priority number are used. */
const deferMaxSeconds = 2
const deadlineSeconds = 180
const pollsPerSecond = 500

/** Returns the parameters of a client's request, in addition to the prompt. */
export function parametersFor({ seconds }: TrialModel, special: SpecialParameter | null): GenerationParameters {
  return {
    seconds,
    ...(special === 'seed' && { seed: 7 }),
    ...(special === 'audio' && { audio: true }),
    ...(special === 'negative_prompt' && { negative_prompt: 'rain' }),
  }
}

/** Returns the routes that can serve the request and have the lowest priority number. */
export function firstRoutesFor(model: string, special: SpecialParameter | null): TrialRoute[] {
  const matchingRoutes = trialRoutes.filter(
    (route) => route.model === model && (special === null || !route.refuses.includes(special)),
  )
  const lowestPriority = Math.min(...matchingRoutes.map(({ priority }) => priority))
  return matchingRoutes.filter(({ priority }) => priority === lowestPriority)
}

const routesByName = new Map(trialRoutes.map((route) => [route.name, route]))
const routesByTarget = new Map(trialRoutes.map((route) => [`${route.upstream} ${route.upstreamModel}`, route]))

/** Returns the upstream of a route; undefined if the route does not exist. */
export function upstreamOf(routeName: string): string | undefined {
  return routesByName.get(routeName)?.upstream
}

/** Returns the route to this model of this upstream. */
export function routeTo(upstream: string, upstreamModel: string): TrialRoute | undefined {
  return routesByTarget.get(`${upstream} ${upstreamModel}`)
}

/**
 * Returns the contents of `framegate.yaml`. `originOf` returns the origin at which the service
 * reaches an upstream.
 */
export function routingFile(originOf: (upstream: string) => string): object {
  return {
    upstreams: Object.fromEntries(
      trialUpstreams.map(({ name, protocol, inFlightMax }) => [
        name,
        {
          driver: protocol.driver,
          base_url: `${originOf(name)}${protocol.basePath}`,
          api_key: 'fg_live_chaos_upstream',
          in_flight_max: inFlightMax,
          polls_per_second: pollsPerSecond,
        },
      ]),
    ),
    routes: trialRoutes.map(({ name, model, upstream, upstreamModel, priority, weight, inFlightMax }) => ({
      name,
      model,
      upstream,
      upstream_model: upstreamModel,
      priority,
      weight,
      in_flight_max: inFlightMax ?? undefined,
      defer_max: deferMaxSeconds,
      deadline: deadlineSeconds,
    })),
  }
}
