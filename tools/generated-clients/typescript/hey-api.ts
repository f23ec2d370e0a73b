import { accountName, apiKey, baseUrl, check, image, imageUri } from './check.ts'
import { client } from './hey-api/client.gen.ts'
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
} from './hey-api/index.ts'

client.setConfig({ baseUrl, auth: apiKey })
const body = { model: 'imgA-5.0', prompt: 'a paper boat on a lake' } as const
const throwOnError = true

const { data: models } = await listModels({ query: { limit: 5 }, throwOnError })
check('the page of models', models.items.length === 5 && models.has_more)
const { data: quote } = await quoteTask({ body, throwOnError })
check('the quote', quote.available && quote.amount > 0)

const ids: string[] = []
for (const order of ['one', 'two']) {
  const headers = { 'Idempotency-Key': `${accountName}-${order}` }
  const { data: submitted } = await submitTask({ body, headers, throwOnError })
  check('the price', submitted.amount === quote.amount)
  ids.unshift(submitted.id)
}
for (const id of ids) {
  const { data: task } = await getTask({ path: { id }, query: { wait: 60 }, throwOnError })
  check('the completed task', task.status === 'completed' && task.result_url !== undefined)
}
const { data: firstPage } = await listTasks({ query: { limit: 1 }, throwOnError })
check('the cursor', firstPage.next_cursor !== null)
const { data: secondPage } = await listTasks({ query: { limit: 1, cursor: firstPage.next_cursor }, throwOnError })
check('the pages', [...firstPage.items, ...secondPage.items].map(({ id }) => id).join() === ids.join())

const { data: asset } = await createAsset({ body: { file: image }, throwOnError })
const { data: imported } = await importAsset({ body: { url: imageUri }, throwOnError })
check('the asset', asset.content_type === 'image/png' && imported.id === asset.id)
const { data: csv } = await exportUsage({ throwOnError })
check('the CSV', csv.startsWith('day,'))

const { data: account } = await createAccount({ body: { name: accountName }, throwOnError })
const path = { id: account.id }
const { data: key } = await createKey({ path, body: { scopes: ['tasks:read'] }, throwOnError })
const { data: granted } = await grantCredits({ path, body: { amount: 2.5 }, throwOnError })
check('the account', key.key.startsWith('fg_live_') && key.scopes.join() === 'tasks:read' && granted.balance === 2.5)
