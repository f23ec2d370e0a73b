import { callServer, type ServerSession } from '../connection/call-server.ts'
import type { ConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { explain, writeJson, writeJsonList, writeLine } from '../terminal/write.ts'

/** A request to the operator's interface. */
export interface OneRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  query?: Record<string, string | undefined>
  body?: object
}

export interface JsonOptions extends ConnectionOptions {
  json?: true
}

/** Runs a command that sends requests and shows the response: as JSON, or described for people. */
export async function callAndShow<Result>(
  options: JsonOptions,
  ask: (session: ServerSession) => Promise<Result>,
  describe: (response: Result) => string,
): Promise<number> {
  return callServer(options, 'refuse', async (session) => {
    const response = await ask(session)
    if (options.json) writeJson(response)
    else writeLine(describe(response))
    return exitCodes.ok
  })
}

export interface ShownList<Item> {
  describe: (items: Item[]) => string
  /** Why the list may be empty, and what to do next. */
  whenEmpty: string
}

/** Shows a whole list: as a list response of the interface with `--json`, otherwise as a table. */
export async function listAndShow<Item>(
  options: JsonOptions,
  ask: (session: ServerSession) => Promise<Item[]>,
  { describe, whenEmpty }: ShownList<Item>,
): Promise<number> {
  return callServer(options, 'refuse', async (session) => {
    const items = await ask(session)
    if (options.json) writeJsonList(items)
    else if (items.length === 0) explain(whenEmpty)
    else writeLine(describe(items))
    return exitCodes.ok
  })
}

/** Runs `callAndShow` for a single request. */
// The caller that describes the response chooses its type.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export async function requestAndShow<Result>(
  options: JsonOptions,
  request: OneRequest,
  describe: (response: Result) => string,
): Promise<number> {
  return callAndShow(options, ({ client, call }) => client.request<Result>(request, call), describe)
}
