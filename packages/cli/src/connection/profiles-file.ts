import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { CommandFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'

/** A named server with its key. */
export interface Profile {
  name: string
  url: string
  apiKey: string
}

export interface Profiles {
  /** Name of the profile that commands use by default. */
  inUse: string | null
  byName: ReadonlyMap<string, Profile>
}

interface WrittenProfiles {
  in_use: string | null
  profiles: Record<string, { url: string; api_key: string }>
}

const fileMode = 0o600
const folderMode = 0o700
const otherUsersMode = 0o077

/**
 * Path of the profiles file according to the XDG Base Directory Specification, which says to ignore
 * a relative XDG_CONFIG_HOME.
 */
export function profilesPath(env: NodeJS.ProcessEnv = process.env): string {
  const configHome = env['XDG_CONFIG_HOME'] ?? ''
  return join(isAbsolute(configHome) ? configHome : join(homeFolder(), '.config'), 'framegate', 'profiles.json')
}

function homeFolder(): string {
  let folder = ''
  try {
    folder = homedir()
  } catch {
    // HOME is not set, and the system has no entry for this user.
  }
  if (isAbsolute(folder)) return folder
  throw new CommandFailure(
    exitCodes.usage,
    'The home folder of this user, which has the profiles, is unknown. Set HOME or XDG_CONFIG_HOME to an absolute path.',
  )
}

export function readProfiles(path = profilesPath()): Profiles {
  const text = readText(path)
  if (text === null) return { inUse: null, byName: new Map() }
  try {
    const { in_use: inUse, profiles } = JSON.parse(text) as WrittenProfiles
    const byName = new Map(
      Object.entries(profiles).map(([name, { url, api_key: apiKey }]) => {
        if (typeof url !== 'string' || typeof apiKey !== 'string') throw new TypeError(`${name} has no url or no api_key`)
        return [name, { name, url, apiKey }]
      }),
    )
    return { inUse: inUse !== null && byName.has(inUse) ? inUse : null, byName }
  } catch (error) {
    throw new CommandFailure(
      exitCodes.usage,
      `${path} is not a valid profile file (${error instanceof Error ? error.message : String(error)}). Correct it, or ` +
        'remove it and add the profiles again.',
      { cause: error },
    )
  }
}

/** Writes the file atomically, readable by its owner only. */
export function writeProfiles({ inUse, byName }: Profiles, path = profilesPath()): void {
  const storedProfiles: WrittenProfiles = {
    in_use: inUse,
    profiles: Object.fromEntries([...byName].map(([name, { url, apiKey }]) => [name, { url, api_key: apiKey }])),
  }
  const temporaryPath = `${path}.${process.pid}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: folderMode })
    writeFileSync(temporaryPath, `${JSON.stringify(storedProfiles, null, 2)}\n`, { mode: fileMode })
    chmodSync(temporaryPath, fileMode)
    renameSync(temporaryPath, path)
  } catch (error) {
    rmSync(temporaryPath, { force: true })
    const { code, message } = error as NodeJS.ErrnoException
    throw new CommandFailure(exitCodes.failed, `The profiles cannot be written to ${path}: ${code ?? message}.`, { cause: error })
  }
}

/**
 * Whether the file with the keys has a permission for other users of this machine. Always false on
 * Windows, which has no file modes.
 */
export function isReadableByOthers(path = profilesPath()): boolean {
  let mode: number
  try {
    mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
  } catch (error) {
    throw unreadableProfiles(path, error)
  }
  return process.platform !== 'win32' && (mode & otherUsersMode) !== 0
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw unreadableProfiles(path, error)
  }
}

function unreadableProfiles(path: string, cause: unknown): CommandFailure {
  const { code, message } = cause as NodeJS.ErrnoException
  return new CommandFailure(
    exitCodes.usage,
    `The profiles in ${path} cannot be read: ${code ?? message}. Make the file readable, or set XDG_CONFIG_HOME to another ` +
      'folder.',
    { cause },
  )
}
