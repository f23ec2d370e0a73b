import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { List, Task } from '@framegate/contract'
import type { StartedServer } from '../../packages/server/test/started-server.ts'
import { builtLauncher } from '../build/built-program.ts'
import type { ProgramOptions } from './run-program.ts'
import type { SimulatedProviders } from './simulated-providers.ts'
import { startShellSession, type ShellSession } from './shell-session.ts'

/**
 * A simulated reader of a page, who runs its blocks from top to bottom: with a running service, and
 * a new terminal in an empty folder of a project that has the command line and the SDK installed.
 */
export interface Reader extends ProgramOptions {
  shell: ShellSession
  server: StartedServer
  /**
   * Replaces the placeholders of a page with the reader's own values: `fg_live_...`, `task_...`,
   * `/path/to/framegate`.
   */
  fillIn(text: string): Promise<string>
  /** Replaces the reader's own URL and key in an output with those on the pages. */
  withDefaultAddress(printed: string): string
}

const defaultOrigin = 'http://127.0.0.1:8787'

/** Folder in the project with an `npx` that starts the project's commands without npm. */
const directNpx = 'direct-npx'

/**
 * Creates a reader. `folder` is in the project and contains everything that the page creates. `npx`
 * selects npm's npx, which takes 0.3 s of CPU time per command, or a script that starts installed
 * commands directly.
 */
export function openReader(
  folder: string,
  project: string,
  repository: string,
  server: StartedServer,
  { providers, npx }: { providers: SimulatedProviders; npx: 'of npm' | 'direct' },
): Reader {
  const { origin } = new URL(server.baseUrl)
  const env = {
    PATH: [
      ...(npx === 'direct' ? [path.join(project, directNpx)] : []),
      path.join(project, 'node_modules/.bin'),
      path.dirname(process.execPath),
      process.env['PATH'] ?? '',
    ].join(':'),
    HOME: folder,
    LANG: 'C.UTF-8',
    // Without this variable, the launcher would restart the program to set it.
    MALLOC_MMAP_THRESHOLD_: '131072',
    // A shared cache, because the programs of the pages compile the same packages.
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    // `framegate doctor` checks whether a service could start here, and must not find its port in
    // use.
    FRAMEGATE_PORT: '0',
    FRAMEGATE_URL: server.baseUrl,
    FRAMEGATE_API_KEY: server.apiKey,
    // The Python client runs from its sources.
    PYTHONPATH: path.join(repository, 'packages/python/src'),
    PYTHONDONTWRITEBYTECODE: '1',
    ...providers.env,
    // All packages that npx runs here are installed, so npx must not use the network.
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  }
  mkdirSync(folder, { recursive: true })

  async function newestTask(): Promise<Task> {
    const response = await server.request('GET', '/v2/model-center/tasks?limit=1')
    const { items } = (await response.json()) as List<Task>
    if (items[0] === undefined) throw new Error('the page refers to a task before it has created one')
    return items[0]
  }

  return {
    cwd: folder,
    env,
    shell: startShellSession(path.join(project, 'terminals', path.basename(folder)), { cwd: folder, env }),
    server,
    async fillIn(text) {
      const withValues = providers
        .replaceIn(text)
        .replaceAll('fg_live_...', server.apiKey)
        .replaceAll(defaultOrigin, origin)
        .replaceAll('/path/to/framegate', repository)
      return withValues.includes('task_...') ? withValues.replaceAll('task_...', (await newestTask()).id) : withValues
    },
    withDefaultAddress: (printed) => printed.replaceAll(origin, defaultOrigin).replaceAll(server.apiKey, 'fg_live_...'),
  }
}

/**
 * Installs the commands of the project: `framegate`, `node`, a direct `npx`, and a file viewer that
 * does nothing.
 */
export function installCommands(project: string): void {
  const bin = path.join(project, 'node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  symlinkSync(builtLauncher, path.join(bin, 'framegate'))
  symlinkSync(process.execPath, path.join(bin, 'node'))
  writeFileSync(path.join(bin, 'xdg-open'), '#!/bin/sh\n', { mode: 0o755 })
  mkdirSync(path.join(project, directNpx))
  // Like npm's npx without a network, this script fails if the command is not installed.
  const npx = `#!/bin/sh\ncommand=$1\nshift\nexec '${bin}'/"$command" "$@"\n`
  writeFileSync(path.join(project, directNpx, 'npx'), npx, { mode: 0o755 })
}
