import type { Command } from 'commander'
import type { Asset, DeletedAsset } from '@framegate/sdk'
import { CommandFailure } from '../command-failure.ts'
import { callServer, type ServerSession } from '../connection/call-server.ts'
import { addConnectionOptions, type ConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { wholeNumber } from '../generation/generation-options.ts'
import { readAndShow } from '../operation/call-and-show.ts'
import { callEach } from '../operation/call-each.ts'
import { addExamples } from '../terminal/examples.ts'
import { table, type Column } from '../terminal/table.ts'
import { timeText } from '../terminal/time.ts'
import { writeJsonItemOrArray, writeLine } from '../terminal/write.ts'
import { uploadAsset } from './upload-asset.ts'

interface JsonOptions extends ConnectionOptions {
  json?: true
}

interface ListOptions extends JsonOptions {
  limit: number
  cursor?: string
}

const columns: (string | Column)[] = [
  'ID',
  { heading: 'TYPE', rank: 2 },
  { heading: 'PIXELS', rank: 3 },
  { heading: 'SECONDS', rank: 5 },
  { heading: 'BYTES', rank: 1 },
  { heading: 'CREATED', rank: 4 },
  { heading: 'NAME', long: 'shorten' },
]
const defaultLimit = 20
const limitMax = 10_000
const scheme = 'asset:'

export function addAssetsCommand(program: Command, setExitCode: (code: number) => void): void {
  const assets = program
    .command('assets')
    .summary('upload, list and delete images, videos and audio files for tasks')
    .description('Upload, list and delete the images, videos and audio files that tasks of the account use.')
    .helpCommand(false)
  addExamples(assets, [
    'framegate assets upload robot.png',
    'framegate generate "the robot on a beach" --model imgA-5.0 --reference asset:asset_0197c0de...',
    'framegate assets delete asset_0197c0de...',
  ])

  const upload = assets
    .command('upload')
    .description(
      'Upload images, videos or audio files and print the `asset:ID` of each. An identical file gets the same asset. ' +
        'A file of more than 16 MiB is sent in parts. After an interruption, run the same command again to continue.',
    )
    .argument('<file...>', 'files, or URLs that the server fetches')
    .option('--name <name>', 'display name, for a single file (default: the name of the file)')
  addConnectionOptions(upload)
    .option('--json', 'print the asset as JSON: an object, or an array for several files')
    .action(async (files: string[], options: JsonOptions & { name?: string }) => setExitCode(await uploadFiles(files, options)))
  addExamples(upload, [
    'framegate assets upload front.png side.png back.png',
    'framegate generate "the robot on a beach" --model imgA-5.0 --reference "$(framegate assets upload robot.png)"',
  ])

  const list = assets
    .command('list')
    .description('Show the assets of the account, newest first.')
    .option('--limit <number>', 'maximum number of assets', wholeNumber(1, limitMax), defaultLimit)
    .option('--cursor <cursor>', 'where to start: `next_cursor` of the previous list, from --json')
  addConnectionOptions(list)
    .option('--json', 'print a list of assets as JSON')
    .action(async (options: ListOptions) => setExitCode(await listAssets(options)))
  addExamples(list, ['framegate assets list', `framegate assets list --limit 1000 --json | jq -r '.items[].id'`])

  const remove = assets
    .command('delete')
    .description('Delete assets. Tasks that were already accepted can still use them.')
    .argument('<id...>', 'asset ids, with or without the prefix `asset:`')
  addConnectionOptions(remove)
    .option('--json', "print the server's response as JSON: an object, or an array for several ids")
    .action(async (ids: string[], options: JsonOptions) => setExitCode(await deleteAssets(ids, options)))
  addExamples(remove, ['framegate assets delete asset_0197c0de...'])
}

async function uploadFiles(files: readonly string[], { name, ...options }: JsonOptions & { name?: string }): Promise<number> {
  if (name !== undefined && files.length > 1)
    throw new CommandFailure(exitCodes.usage, '--name can be used with a single file only.')
  return onEach(files, options, async (session, file) => {
    const asset = await uploadAsset(session, file, name)
    if (!options.json) writeLine(`${scheme}${asset.id}`)
    return asset
  })
}

async function listAssets({ limit, cursor, ...options }: ListOptions): Promise<number> {
  return readAndShow<Asset>(
    options,
    { path: '/v2/assets', limit, cursor },
    {
      describe: (assets) => table(columns, assets.map(rowOf)),
      whenEmpty: 'The account has no assets. Upload a file with framegate assets upload FILE.',
    },
  )
}

function rowOf({ id, content_type, width, height, seconds, size_bytes, created, name }: Asset): string[] {
  const pixels = width === null ? '' : `${width} x ${height}`
  return [
    id,
    content_type,
    pixels,
    seconds === null ? '' : String(seconds),
    String(size_bytes),
    timeText(created) ?? '',
    name ?? '',
  ]
}

async function deleteAssets(ids: readonly string[], options: JsonOptions): Promise<number> {
  return onEach(ids, options, async ({ client, call }, givenId) => {
    const id = givenId.startsWith(scheme) ? givenId.slice(scheme.length) : givenId
    const deletedAsset = await client.assets.delete(id, call)
    if (!options.json) writeLine(`${id} deleted`)
    return deletedAsset
  })
}

/**
 * Calls `operation` for each item in turn. An item that the server rejects does not stop the
 * others.
 */
async function onEach(
  items: readonly string[],
  options: JsonOptions,
  operation: (session: ServerSession, item: string) => Promise<Asset | DeletedAsset>,
): Promise<number> {
  return callServer(options, 'require server', async (session) => {
    const itemOptions = { json: options.json, namesItems: items.length > 1 }
    const { results, exitCode } = await callEach(session, items, itemOptions, (item) => operation(session, item))
    if (options.json && results.length > 0) writeJsonItemOrArray(results, items.length)
    return exitCode
  })
}
