import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Framegate } from '@framegate/sdk'
import { expect, it } from 'vitest'
import { packetVideo } from '../../packages/server/test/packet-video.ts'
import { startServer } from '../../packages/server/test/started-server.ts'
import { comfyuiCredential, createComfyuiProtocol } from '../../packages/server/test/upstreams/comfyui.protocol.ts'
import { Simulator } from '../../packages/server/test/upstreams/simulator.ts'

it('the ComfyUI example offers the workflow as a model, and runs it with the parameters of the request', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-comfyui-'))
  await using simulator = await Simulator.open(createComfyuiProtocol())
  simulator.moves = ['succeeded']
  simulator.media = await packetVideo()
  const server = await startServer(path.join(folder, 'data'), {
    FRAMEGATE_CONFIG: fileURLToPath(new URL('framegate.yaml', import.meta.url)),
    FRAMEGATE_ALLOW_HOSTS: new URL(simulator.origin).host,
    COMFYUI_URL: simulator.origin,
    COMFYUI_AUTHORIZATION: comfyuiCredential,
  })
  const client = new Framegate({ baseUrl: server.baseUrl, apiKey: server.apiKey })
  expect(await client.tasks.quote({ model: 'kites', prompt: 'a kite' })).toMatchObject({ amount: 0.1, available: true })
  const task = await client.tasks.createAndWait({ model: 'kites', prompt: 'a kite over dunes', seed: 7, steps: 12 })
  expect(task).toMatchObject({ status: 'completed', object: 'video' })
  expect(simulator.jobs[0]?.request.json.prompt).toMatchObject({
    '3': { inputs: { seed: 7, steps: 12 } },
    '6': { inputs: { text: 'a kite over dunes' } },
  })
  await expect(client.tasks.create({ model: 'kites', prompt: 'x', steps: 99 })).rejects.toMatchObject({ param: 'steps' })
  await server.stop()
  rmSync(folder, { recursive: true })
})
