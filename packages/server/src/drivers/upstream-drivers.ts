import { arkDriver } from './ark/ark-driver.ts'
import { comfyuiDriver } from './comfyui/comfyui-driver.ts'
import { dashscopeDriver } from './dashscope/dashscope-driver.ts'
import { falDriver } from './fal/fal-driver.ts'
import { framegateDriver } from './framegate/framegate-driver.ts'
import { klingDriver } from './kling/kling-driver.ts'
import { minimaxDriver } from './minimax/minimax-driver.ts'
import { openaiDriver } from './openai/openai-driver.ts'
import { replicateDriver } from './replicate/replicate-driver.ts'
import type { UpstreamDriver } from './upstream/upstream-driver.ts'
import { veoDriver } from './veo/veo-driver.ts'
import { viduDriver } from './vidu/vidu-driver.ts'
import { xaiDriver } from './xai/xai-driver.ts'

/** All drivers of upstreams, in the order of the documentation. */
export const upstreamDrivers: readonly UpstreamDriver[] = [
  openaiDriver,
  arkDriver,
  veoDriver,
  dashscopeDriver,
  klingDriver,
  minimaxDriver,
  viduDriver,
  replicateDriver,
  falDriver,
  comfyuiDriver,
  framegateDriver,
  xaiDriver,
]
