import { Option, type Command } from 'commander'

/** Options that select the server, as commander parses them. */
export interface ConnectionOptions {
  url?: string
  apiKey?: string
  profile?: string
}

export function addConnectionOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--profile <name>', 'profile with server and key, as stored by `framegate profiles add`').conflicts([
        'url',
        'apiKey',
      ]),
    )
    .option(
      '--url <base-url>',
      'base URL of the server (default: `FRAMEGATE_URL`, the profile in use, http://127.0.0.1:8787/api)',
    )
    .option('--api-key <key>', "API key (default: `FRAMEGATE_API_KEY`, the profile's key)")
}
