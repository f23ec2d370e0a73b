import {
  comfyuiWithNodeTypes,
  falWithSchemas,
  openaiWithModels,
  replicateWithSchemas,
} from '../../packages/server/test/import/schema-providers.ts'
import { packetVideo } from '../../packages/server/test/packet-video.ts'
import { comfyuiCredential } from '../../packages/server/test/upstreams/comfyui.protocol.ts'
import { falKey } from '../../packages/server/test/upstreams/fal.protocol.ts'
import { openaiKey } from '../../packages/server/test/upstreams/openai.protocol.ts'
import { replicateKey } from '../../packages/server/test/upstreams/replicate.protocol.ts'
import { Simulator } from '../../packages/server/test/upstreams/simulator.ts'

/** Simulated providers on loopback, for the providers that the pages connect. */
export interface SimulatedProviders extends AsyncDisposable {
  /** Hosts that the service must be allowed to fetch from. */
  hosts: string
  /** API keys by the names of the environment variables on the pages. */
  env: Record<string, string>
  /** Changes the commands and URLs of a page, so that they address the simulators. */
  replaceIn(text: string): string
}

export async function openSimulatedProviders(): Promise<SimulatedProviders> {
  const media = await packetVideo()
  const openSimulator = async (protocol: Parameters<typeof Simulator.open>[0]): Promise<Simulator> => {
    const simulator = await Simulator.open(protocol)
    simulator.moves = ['succeeded']
    simulator.media = media
    return simulator
  }
  const [fal, replicate, comfyui, openai] = await Promise.all([
    openSimulator(falWithSchemas(new Map())),
    openSimulator(replicateWithSchemas),
    openSimulator(comfyuiWithNodeTypes),
    openSimulator(openaiWithModels),
  ])
  const simulators = [fal, replicate, comfyui, openai]
  return {
    hosts: simulators.map(({ origin }) => new URL(origin).host).join(','),
    env: {
      FAL_KEY: falKey,
      REPLICATE_API_TOKEN: replicateKey,
      COMFYUI_AUTHORIZATION: comfyuiCredential,
      STUDIO_KEY: openaiKey,
      OPENROUTER_API_KEY: openaiKey,
    },
    replaceIn: (text) =>
      text
        .replaceAll('--driver fal ', `--driver fal --upstream-url ${fal.origin} --schema-url ${fal.origin}/schemas `)
        .replaceAll('--driver replicate ', `--driver replicate --upstream-url ${replicate.origin}/v1 `)
        .replaceAll('http://127.0.0.1:8188', comfyui.origin)
        .replaceAll('https://studio.example.com/v1', `${openai.origin}/v1`)
        .replaceAll('https://openrouter.ai/api/v1', `${openai.origin}/v1 --schema-url ${openai.origin}/v1`),
    async [Symbol.asyncDispose]() {
      for (const simulator of simulators) await simulator[Symbol.asyncDispose]()
    },
  }
}
