import { CommandFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import type { ConnectionOptions } from './connection-options.ts'
import type { Profile, Profiles } from './profiles-file.ts'

export interface ChosenServer {
  /** Undefined if no server was named. */
  url: string | undefined
  apiKey: string | undefined
  /** Notices for the user about overridden settings. */
  notes: string[]
}

/**
 * Chooses the server and the key. Options take precedence over the environment, and the environment
 * over the profile. Without the option `profile`, the profile in use applies. The key of a profile
 * is sent only to the server of that profile.
 */
export function chooseServer(
  options: ConnectionOptions,
  env: Readonly<Record<string, string | undefined>>,
  readProfiles: () => Profiles,
): ChosenServer {
  const environmentUrl = env['FRAMEGATE_URL']?.trim() || undefined
  const environmentKey = env['FRAMEGATE_API_KEY']?.trim() || undefined
  const explicitUrl = options.url ?? environmentUrl
  const explicitKey = options.apiKey ?? environmentKey
  if (options.profile === undefined && explicitUrl !== undefined && explicitKey !== undefined) {
    return { url: explicitUrl, apiKey: explicitKey, notes: [] }
  }

  const profile = chooseProfile(options.profile, readProfiles())
  const url = explicitUrl ?? profile?.url
  const isServerOfProfile = profile !== undefined && url !== undefined && isSameAddress(url, profile.url)
  const apiKey = explicitKey ?? (isServerOfProfile ? profile.apiKey : undefined)
  const notes: string[] = []
  if (options.profile !== undefined) {
    if (!isServerOfProfile)
      notes.push(`FRAMEGATE_URL is set and takes precedence over the profile ${options.profile}: ${url} is used.`)
    else if (apiKey !== profile.apiKey)
      notes.push(`FRAMEGATE_API_KEY is set and takes precedence over the key of the profile ${options.profile}.`)
  }
  return { url, apiKey, notes }
}

function chooseProfile(name: string | undefined, { inUse, byName }: Profiles): Profile | undefined {
  if (name === undefined) return inUse === null ? undefined : byName.get(inUse)
  return byName.get(name) ?? refuseProfile(name, byName)
}

/** Throws an error that lists the existing profiles. */
export function refuseProfile(name: string, byName: Profiles['byName']): never {
  const knownNames =
    byName.size === 0
      ? 'there are none yet; add one with framegate profiles add'
      : `the profiles are ${[...byName.keys()].join(', ')}`
  throw new CommandFailure(exitCodes.usage, `There is no profile ${JSON.stringify(name)}: ${knownNames}.`)
}

function isSameAddress(first: string, second: string): boolean {
  return normalizedAddress(first) === normalizedAddress(second)
}

function normalizedAddress(address: string): string {
  return (URL.canParse(address) ? new URL(address).href : address).replace(/(?<!\/)\/+$/, '')
}
