import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openaiRequests } from './own-sides.ts'
import { startPeerProcess } from './peer-process.ts'
import type { InstallPlan, Installation, Side } from './side.ts'

const meaningOfResponse = 'the upstream has accepted the job; the gateway stores nothing'

/**
 * Returns the installed peers: gateways of other projects that are measured beside Framegate.
 * LiteLLM may be installed in this folder or on PATH, Portkey only in this folder. Prints the names
 * of the peers that are not installed. docs/performance.md has the commands that install them.
 */
export function findInstalledPeers(folder: string | undefined): Side[] {
  const sides = [findLitellm(folder), findPortkey(folder)].filter((side) => side !== null)
  for (const name of ['LiteLLM', 'Portkey']) {
    if (!sides.some((side) => side.name.startsWith(name))) {
      console.error(`${name} is not measured, because it is not installed; see Installed peers in docs/performance.md`)
    }
  }
  return sides
}

/** LiteLLM's proxy without a database. It has OpenAI's API for videos. */
function findLitellm(folder: string | undefined): Side | null {
  const folders = [
    ...(folder === undefined ? [] : [path.join(folder, 'litellm', 'bin')]),
    ...(process.env['PATH'] ?? '').split(':'),
  ]
  const bin = folders.find((folder) => existsSync(path.join(folder, 'litellm')) && existsSync(path.join(folder, 'python')))
  if (bin === undefined) return null
  const program = path.join(bin, 'litellm')
  const script = "import importlib.metadata; print(importlib.metadata.version('litellm'))"
  const version = execFileSync(path.join(bin, 'python'), ['-c', script], { encoding: 'utf8' }).trim()
  return { name: `LiteLLM ${version}`, meaningOfResponse, ...openaiRequests, install }

  async function install({ rig, upstreamPort }: InstallPlan): Promise<Installation> {
    const key = 'sk-bench'
    const file = path.join(rig.newFolder(), 'config.yaml')
    const model = (name: string) => ({
      model_name: name,
      litellm_params: { model: `openai/${name}`, api_base: `http://127.0.0.1:${upstreamPort}/v1`, api_key: 'k' },
    })
    writeFileSync(file, JSON.stringify({ model_list: [model('m'), model('i')], general_settings: { master_key: key } }))
    return {
      start: () =>
        startPeerProcess({
          key,
          command: (port) => [program, '--config', file, '--host', '127.0.0.1', '--port', String(port), '--telemetry', 'False'],
          // Uses the price list in the package, and logs errors only.
          environment: { LITELLM_LOCAL_MODEL_COST_MAP: 'True', DISABLE_ADMIN_UI: 'True', LITELLM_LOG: 'ERROR' },
          readyPath: '/health/liveliness',
        }),
    }
  }
}

/**
 * Portkey's gateway. Version 1.15.2 forwards a request for a video, but responds with status 500.
 * The benchmark therefore sends video jobs as requests of the Responses API, which Portkey also
 * forwards.
 */
function findPortkey(folder: string | undefined): Side | null {
  if (folder === undefined) return null
  const root = path.join(folder, 'node_modules', '@portkey-ai', 'gateway')
  if (!existsSync(root)) return null
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }
  return {
    name: `Portkey ${version}`,
    meaningOfResponse,
    video: { path: '/v1/responses', fields: { model: 'm', background: true }, promptField: 'input' },
    image: openaiRequests.image,
    pollPath: (id) => `/v1/responses/${id}`,
    install: async ({ upstreamPort }) => ({
      start: () =>
        startPeerProcess({
          // The gateway has no keys of its own. It forwards the upstream's key.
          key: 'k',
          headers: ['x-portkey-provider: openai', `x-portkey-custom-host: http://127.0.0.1:${upstreamPort}/v1`],
          command: (port) => [process.execPath, path.join(root, 'build', 'start-server.js'), `--port=${port}`, '--headless'],
          environment: { NODE_ENV: 'production' },
          readyPath: '/',
        }),
    }),
  }
}
