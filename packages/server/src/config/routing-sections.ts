import { nearestName } from '../lib/nearest-name.ts'
import type { FileValue } from './substitute-environment.ts'

/**
 * The `upstreams` and `routes` sections. This version makes everything with the embedded driver, which serves every
 * model without being asked: a route to it is accepted because it changes nothing, any other is refused.
 */
const embedded = 'embedded'
const routeKeys = ['model', 'upstream', 'upstream_model', 'priority', 'weight', 'cost', 'workflow', 'slots']
const notAvailable =
  'upstream drivers are not available in this version yet, only the embedded driver is, and it needs no entry; remove it.'

export function checkUpstreams(value: FileValue, label: string, faults: string[]): void {
  if (value === null || value === '') return
  if (typeof value === 'string' || Array.isArray(value)) faults.push(`upstreams in ${label}: must be a map of upstreams by name.`)
  else for (const name of Object.keys(value)) faults.push(`upstreams.${name} in ${label}: ${notAvailable}`)
}

export function checkRoutes(value: FileValue, label: string, faults: string[]): void {
  if (value === null || value === '') return
  if (!Array.isArray(value)) faults.push(`routes in ${label}: must be a list of routes, each with a model and an upstream.`)
  else value.forEach((route, index) => checkRoute(route, `routes[${index}]`, label, faults))
}

function checkRoute(route: FileValue, at: string, label: string, faults: string[]): void {
  if (route === null || typeof route === 'string' || Array.isArray(route)) {
    faults.push(`${at} in ${label}: must have a model and an upstream.`)
    return
  }
  for (const key of Object.keys(route)) {
    if (routeKeys.includes(key)) continue
    const meant = nearestName(key, routeKeys, 3)
    faults.push(`${at}.${key} in ${label}: is not a field of a route${meant === undefined ? '.' : `; did you mean ${meant}?`}`)
  }
  if (typeof route['model'] !== 'string' || route['model'] === '') {
    faults.push(`${at}.model in ${label}: must be a Model ID, or "*" for every model.`)
  }
  if (route['upstream'] !== embedded) {
    const upstream = typeof route['upstream'] === 'string' ? route['upstream'] : ''
    faults.push(
      upstream === ''
        ? `${at}.upstream in ${label}: must be "${embedded}".`
        : `${at}.upstream in ${label}: "${upstream}" cannot be used: ${notAvailable}`,
    )
  }
}
