import { callServer, type ServerSession } from '../connection/call-server.ts'
import type { ConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { explain, writeJson, writeJsonList, writeLine } from '../terminal/write.ts'
import { readItems, type ListRequest } from './read-items.ts'

/** A request to the operator's API. */
export interface OneRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  query?: Record<string, string | undefined>
  body?: object
}

export interface JsonOptions extends ConnectionOptions {
  json?: true
}

/** Runs a command that sends requests and prints the result, as JSON or as text. */
export async function callAndShow<Result>(
  options: JsonOptions,
  sendRequests: (session: ServerSession) => Promise<Result>,
  describe: (response: Result) => string,
): Promise<number> {
  return callServer(options, 'require server', async (session) => {
    const response = await sendRequests(session)
    if (options.json) writeJson(response)
    else writeLine(describe(response))
    return exitCodes.ok
  })
}

export interface DisplayedList<Item> {
  describe: (items: Item[]) => string
  /** Message for an empty list, with the next step. Null for a list that is never empty. */
  whenEmpty: string | null
}

/** Prints all items of a list: with `--json` in the API's format, otherwise as a table. */
export async function listAndShow<Item>(
  options: JsonOptions,
  request: (session: ServerSession) => Promise<Item[]>,
  { describe, whenEmpty }: DisplayedList<Item>,
): Promise<number> {
  return callServer(options, 'require server', async (session) => {
    const items = await request(session)
    if (options.json) writeJsonList(items)
    else if (items.length === 0 && whenEmpty !== null) explain(whenEmpty)
    else writeLine(describe(items))
    return exitCodes.ok
  })
}

/**
 * Prints the part of a list that starts at a cursor: with `--json` in the API's format, otherwise as
 * a table.
 */
export async function readAndShow<Item>(
  options: JsonOptions,
  request: ListRequest,
  { describe, whenEmpty }: DisplayedList<Item> & { whenEmpty: string },
): Promise<number> {
  return callServer(options, 'require server', async (session) => {
    const { items, nextCursor } = await readItems<Item>(session, request)
    if (options.json) writeJsonList(items, nextCursor)
    // After a cursor, the items before it are unknown.
    else if (items.length === 0) explain(request.cursor === undefined ? whenEmpty : nothingAfterCursor)
    else writeLine(describe(items))
    return exitCodes.ok
  })
}

const nothingAfterCursor = 'The list has no items after this cursor. Without --cursor, the command shows the newest ones.'

/** Runs `callAndShow` for a single request. */
// The type parameter is used only once, because the caller chooses the type of the response.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export async function requestAndShow<Result>(
  options: JsonOptions,
  request: OneRequest,
  describe: (response: Result) => string,
): Promise<number> {
  return callAndShow(options, ({ client, call }) => client.request<Result>(request, call), describe)
}
