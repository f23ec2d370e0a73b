import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { RunningServer } from '@framegate/server'
import { exitCodes } from '../exit-codes.ts'
import { openFile } from '../generation/open-file.ts'
import { watchForInterruption } from '../interruption.ts'
import { addExamples } from '../terminal/examples.ts'
import { writeToStderr } from '../terminal/write.ts'
import { addSettingOptions, flagsOf, type SettingOptions } from './setting-options.ts'
import { welcome } from './welcome.ts'

/**
 * Timeout of a shutdown after the configured delay. It is longer than the grace period for submits
 * that an upstream may already have accepted. If a supervisor kills the process earlier, no task is
 * lost, but an operator may have to review the attempts of such submits.
 */
export const shutdownTimeoutMs = 40_000

interface ServeOptions extends SettingOptions {
  json?: true
  open?: true
  restored?: true
}

export function addServeCommand(program: Command, setExitCode: (code: number) => void): void {
  const command = program
    .command('serve')
    .summary('start the service')
    .description('Start the service and keep it running until Ctrl-C.')
  addSettingOptions(command)
    .option(
      '--restored',
      'put the tasks of a restored database on hold; give it for the first start only (copies by `framegate backup` do not need it)',
    )
    .option('--open', "open the console in this machine's browser, signed in")
    .option('--json', 'print one line of JSON when ready: `base_url`, `data_dir`, and `api_key` if one was created')
    .action(async (options: ServeOptions) => setExitCode(await serve(options)))
  addExamples(command, examples, notes)
}

const examples = [
  'framegate serve',
  'framegate serve --port 0 --data-dir ./studio --json',
  'framegate serve --open',
  'framegate serve --host 0.0.0.0',
  'framegate serve --role worker --port 8788',
  'framegate serve --restored',
]

const notes = `Options take precedence over environment variables (\`FRAMEGATE_PORT\`, \`FRAMEGATE_DATA_DIR\`, ...), which take precedence over
\`framegate.yaml\`.

The exit code is 0 after a requested stop and 2 if an option has an invalid value. It is 1 if the service could not start, did not
stop in time, or met a fatal error; a supervisor can restart it. It is 5 if another service was started on the same data folder,
or if the database was moved or replaced. Check the folder before you restart the service. For systemd, set
\`RestartPreventExitStatus=5\`.`

const stoppingMessage =
  'Framegate is shutting down: it finishes open responses and keeps its tasks. Press Ctrl-C again to exit immediately.\n'
const failureMessage = 'Framegate stops because of the error above.\n'

async function serve(options: ServeOptions): Promise<number> {
  const { handleUncaughtErrors, DataFolderLost, loadConfig, startServer } = await import('@framegate/server')
  const config = loadConfig({ env: process.env, cwd: process.cwd(), flags: flagsOf(options), configPath: options.config })
  using interruption = watchForInterruption()
  const fatalErrorController = new AbortController()
  using _uncaughtErrors = handleUncaughtErrors(config.logLevel, () => {
    fatalErrorController.abort()
    // Ends the process also if the error occurs during the start, when there is no server to stop.
    setTimeout(() => process.exit(exitCodes.failed), shutdownTimeoutMs).unref()
  })
  let fatalExitCode: number = exitCodes.failed
  const server = await startServer(config, {
    isRestored: options.restored === true,
    onFatal(cause) {
      if (cause instanceof DataFolderLost) fatalExitCode = exitCodes.lostFolder
      fatalErrorController.abort()
    },
  })
  // Anyone can sign in with the link. Without `--open`, the log of a supervisor therefore contains a
  // link only at the first start, together with the key.
  const isLinkShown = process.stdout.isTTY || server.newKey !== null || options.open === true
  const consoleUrl = isLinkShown ? ((await server.createSignInLink()) ?? server.consoleUrl) : server.consoleUrl
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ base_url: server.baseUrl, data_dir: server.dataDir, api_key: server.newKey })}\n`
      : welcome({
          server,
          consoleUrl,
          bootstrapKey:
            config.bootstrapKey && (process.env['FRAMEGATE_BOOTSTRAP_KEY'] ? '$FRAMEGATE_BOOTSTRAP_KEY' : '$FRAMEGATE_API_KEY'),
          isTerminal: process.stdout.isTTY,
        }),
  )
  if (options.open === true && consoleUrl !== null) await openFile(consoleUrl, writeToStderr)
  await untilAborted(AbortSignal.any([interruption.signal, fatalErrorController.signal]))
  process.stderr.write(fatalErrorController.signal.aborted ? failureMessage : stoppingMessage)
  const immediately = fatalErrorController.signal.aborted
  const hasStopped = await stop(
    server,
    { immediately },
    shutdownTimeoutMs + (immediately ? 0 : config.shutdownDelaySeconds * 1000),
  )
  if (fatalErrorController.signal.aborted) return fatalExitCode
  return hasStopped ? exitCodes.ok : exitCodes.failed
}

async function stop(server: RunningServer, options: { immediately: boolean }, timeoutMs: number): Promise<boolean> {
  const tooLate = sleep(timeoutMs, 'too late' as const, { ref: false })
  if ((await Promise.race([server.close(options), tooLate])) !== 'too late') {
    process.stderr.write('Framegate has stopped.\n')
    return true
  }
  process.stderr.write(
    `Framegate did not stop within ${timeoutMs / 1000} s and exits now. Its tasks continue at the next start.\n`,
  )
  return false
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
