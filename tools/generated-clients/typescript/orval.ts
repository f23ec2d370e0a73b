import { accountName, apiKey, check, image, imageUri } from './check.ts'
import {
  createAccount,
  createAsset,
  createKey,
  exportUsage,
  getTask,
  grantCredits,
  importAsset,
  listModels,
  listTasks,
  quoteTask,
  submitTask,
} from './orval/framegate.ts'

const headers = { authorization: `Bearer ${apiKey}` }
const body = { model: 'imgA-5.0', prompt: 'a paper boat on a lake' } as const

/** Returns the body of a response after it has checked the status. */
function read<Result extends { status: number; data: unknown }, Status extends Result['status']>(
  response: Result,
  ...expected: Status[]
): Extract<Result, { status: Status }>['data'] {
  if (!expected.includes(response.status as Status)) throw new Error(JSON.stringify(response.data))
  return response.data
}

const models = read(await listModels({ limit: 5 }, { headers }), 200)
check('the page of models', models.items.length === 5 && models.has_more)
const quote = read(await quoteTask(body, { headers }), 200)
check('the quote', quote.available && quote.amount > 0)

const ids: string[] = []
for (const order of ['one', 'two']) {
  const options = { headers: { ...headers, 'Idempotency-Key': `${accountName}-${order}` } }
  const submitted = read(await submitTask(body, options), 202)
  check('the price', submitted.amount === quote.amount)
  ids.unshift(submitted.id)
}
for (const id of ids) {
  const task = read(await getTask(id, { wait: 60 }, { headers }), 200)
  check('the completed task', task.status === 'completed' && task.result_url !== undefined)
}
const firstPage = read(await listTasks({ limit: 1 }, { headers }), 200)
check('the cursor', firstPage.next_cursor !== null)
const secondPage = read(await listTasks({ limit: 1, cursor: firstPage.next_cursor }, { headers }), 200)
check('the pages', [...firstPage.items, ...secondPage.items].map(({ id }) => id).join() === ids.join())

const asset = read(await createAsset({ file: image }, { headers }), 200, 201)
const imported = read(await importAsset({ url: imageUri }, { headers }), 200, 201)
check('the asset', asset.content_type === 'image/png' && imported.id === asset.id)
const csv = read(await exportUsage({}, { headers }), 200)
check('the CSV', csv.startsWith('day,'))

const account = read(await createAccount({ name: accountName }, { headers }), 200, 201)
const key = read(await createKey(account.id, { scopes: ['tasks:read'] }, { headers }), 200, 201)
const granted = read(await grantCredits(account.id, { amount: 2.5 }, { headers }), 200)
check('the account', key.key.startsWith('fg_live_') && key.scopes.join() === 'tasks:read' && granted.balance === 2.5)
