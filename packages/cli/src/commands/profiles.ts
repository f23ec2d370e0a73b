import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { CommandFailure } from '../command-failure.ts'
import { refuseProfile } from '../connection/choose-server.ts'
import { findBaseUrl } from '../connection/find-server.ts'
import { profilesPath, readProfiles, writeProfiles, type Profile } from '../connection/profiles-file.ts'
import { exitCodes } from '../exit-codes.ts'
import { addExamples } from '../terminal/examples.ts'
import { table } from '../terminal/table.ts'
import { explain, writeToStderr, writeJson, writeJsonList, writeLine } from '../terminal/write.ts'

interface AddOptions {
  url: string
  apiKey: string
  force?: true
  json?: true
}

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const hintCharacters = 4
/**
 * Minimum length of a key whose last four characters are shown. These characters would reveal too
 * much of a shorter key.
 */
const hintedKeyCharactersMin = 16

export function addProfilesCommand(program: Command, setExitCode: (code: number) => void): void {
  const profiles = program
    .command('profiles')
    .summary('store base URLs and API keys of several servers')
    .description('Store the base URLs and API keys of several servers by name, in a file that only you can read.')
    .helpCommand(false)
  addExamples(profiles, groupExamples, notes)

  const add = profiles
    .command('add')
    .summary('store the base URL and API key of a server')
    .description('Store the base URL and API key of a server under a name. The first profile is in use immediately.')
    .argument('<name>', 'letters, digits, dots, underscores and dashes')
    .requiredOption('--url <base-url>', 'base URL of the server')
    .requiredOption('--api-key <key>', 'API key; `-` reads it from stdin, which keeps it out of the shell history')
    .option('--force', 'replace an existing profile of that name')
    .option('--json', 'print the profile as JSON')
    .action(async (name: string, options: AddOptions) => setExitCode(await addProfile(name, options)))
  addExamples(add, [
    'framegate profiles add studio --url https://studio.example.com --api-key - < key.txt',
    'framegate profiles add local --url http://127.0.0.1:8787 --api-key fg_live_...',
  ])

  const list = profiles
    .command('list')
    .description('List the profiles. A star marks the profile in use.')
    .option('--json', 'print a list of profiles as JSON, each with `name`, `url`, `key_hint` and `in_use`')
    .action((options: { json?: true }) => setExitCode(listProfiles(options)))
  addExamples(list, ['framegate profiles list', 'framegate profiles list --json'])

  const useCommand = profiles
    .command('use')
    .description('Choose the profile that commands use by default.')
    .argument('<name>', 'name of the profile')
    .option('--json', 'print the profile as JSON')
    .action((name: string, options: { json?: true }) => setExitCode(useProfile(name, options)))
  addExamples(useCommand, ['framegate profiles use studio'])

  const remove = profiles
    .command('remove')
    .description('Remove a profile and its key.')
    .argument('<name>', 'name of the profile')
    .option('--json', 'print the removed profile as JSON')
    .action((name: string, options: { json?: true }) => setExitCode(removeProfile(name, options)))
  addExamples(remove, ['framegate profiles remove studio'])
}

const groupExamples = [
  'framegate profiles add studio --url https://studio.example.com --api-key - < key.txt',
  'framegate generate "a quiet lake" --model imgA-5.0 --profile studio',
  'framegate profiles use studio',
]

const notes = `Profiles are stored in \`$XDG_CONFIG_HOME/framegate/profiles.json\` (default: \`~/.config/framegate/profiles.json\`) with mode 0600.
Options take precedence over the environment (\`FRAMEGATE_URL\`, \`FRAMEGATE_API_KEY\`), which takes precedence over a profile.
The key of a profile is only sent to the server of that profile.`

async function addProfile(name: string, options: AddOptions): Promise<number> {
  if (!namePattern.test(name)) {
    throw new CommandFailure(
      exitCodes.usage,
      `${JSON.stringify(name)} is not a profile name. A name has 1 to 64 letters, digits, dots, underscores and dashes.`,
    )
  }
  const { inUse, byName } = readProfiles()
  if (byName.has(name) && !options.force) {
    throw new CommandFailure(exitCodes.usage, `The profile ${name} exists already. Replace it with --force.`)
  }
  const apiKey = (options.apiKey === '-' ? await text(process.stdin) : options.apiKey).trim()
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new CommandFailure(exitCodes.usage, 'The API key is empty or has characters that no key can have.')
  }
  const profile = { name, url: await findBaseUrl(options.url), apiKey }
  const profileInUse = inUse ?? name
  writeProfiles({ inUse: profileInUse, byName: new Map([...byName, [name, profile]]) })
  if (options.json) writeJson(profileView(profile, profileInUse))
  else writeToStderr(`The profile ${name} is stored in ${profilesPath()}${profileInUse === name ? ' and in use' : ''}.`)
  return exitCodes.ok
}

function listProfiles(options: { json?: true }): number {
  const { inUse, byName } = readProfiles()
  const profiles = [...byName.values()].map((profile) => profileView(profile, inUse))
  if (options.json) writeJsonList(profiles)
  else if (profiles.length === 0) explain('There are no profiles. Add one with framegate profiles add.')
  else {
    const rows = profiles.map(({ name, url, key_hint, in_use }) => [in_use ? '*' : '', name, url, key_hint])
    writeLine(table(['', 'NAME', { heading: 'URL', long: 'shorten' }, { heading: 'KEY', rank: 1 }], rows))
  }
  return exitCodes.ok
}

function useProfile(name: string, options: { json?: true }): number {
  const { byName } = readProfiles()
  const profile = byName.get(name) ?? refuseProfile(name, byName)
  writeProfiles({ inUse: name, byName })
  if (options.json) writeJson(profileView(profile, name))
  else writeToStderr(`The profile ${name} is in use: ${profile.url}.`)
  return exitCodes.ok
}

function removeProfile(name: string, options: { json?: true }): number {
  const { inUse, byName } = readProfiles()
  const profile = byName.get(name) ?? refuseProfile(name, byName)
  const otherProfiles = new Map([...byName].filter(([profileName]) => profileName !== name))
  const profileInUse = inUse === name ? null : inUse
  writeProfiles({ inUse: profileInUse, byName: otherProfiles })
  if (options.json) writeJson(profileView(profile, profileInUse))
  else writeToStderr(`The profile ${name} was removed${inUse === name ? '; none is in use now' : ''}.`)
  return exitCodes.ok
}

function profileView({ name, url, apiKey }: Profile, inUse: string | null) {
  const hint = apiKey.length < hintedKeyCharactersMin ? '' : apiKey.slice(-hintCharacters)
  return { name, url, key_hint: `…${hint}`, in_use: name === inUse }
}
