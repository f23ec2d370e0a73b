// The command line of the official inspector calls every tool, some calls at the same time.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const launcher = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'
const server = [`${process.env.FRAMEGATE_URL}/mcp`, '--transport', 'http']
const key = ['--header', `Authorization: Bearer ${process.env.FRAMEGATE_API_KEY}`]

async function inspect(...args) {
  const { stdout } = await run(process.execPath, [launcher, '--cli', ...server, ...key, '--format', 'json', ...args])
  return JSON.parse(stdout)
}
async function call(tool, ...args) {
  const pairs = args.flatMap((pair) => ['--tool-arg', pair])
  return (await inspect('--method', 'tools/call', '--tool-name', tool, ...pairs)).result
}

const [listed, made, video] = await Promise.all([
  inspect('--method', 'tools/list', '--strict'),
  call('generate_image', 'model=imgA-5.0', 'prompt=a boat'),
  // The task stays queued until it is cancelled.
  call(
    'generate_video',
    'model=vidC2Stable',
    'prompt=a train',
    'wait_seconds=0',
    'parameters={"simulate": {"queued_seconds": 60}}',
  ),
])
assert.equal(listed.result.tools.length, 10)
assert.deepEqual(
  made.content.map(({ type }) => type),
  ['text', 'resource_link', 'image'],
)
const { id } = video.structuredContent
const results = await Promise.all([
  call('list_models', 'kind=image'),
  call('get_model', 'model=imgA-5.0'),
  call('quote', 'model=imgA-5.0', 'prompt=a boat'),
  call('get_task', `id=${id}`),
  call('list_tasks', 'limit=1'),
  call('cancel_task', `id=${id}`),
  call('upload_asset', `url=data:image/png;base64,${process.env.FRAMEGATE_IMAGE_BASE64}`),
  call('get_balance'),
])
for (const result of results) assert.ok(result.structuredContent && !result.isError, JSON.stringify(result))
