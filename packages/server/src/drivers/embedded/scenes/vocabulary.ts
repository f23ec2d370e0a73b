import { hex, type Rgb } from '../picture/colour.ts'
import type { Extra, Place, Season, Sight, Style, SubjectKind, TimeOfDay, Weather } from './scene-brief.ts'

export type Meaning =
  | { kind: 'place'; place: Place }
  | { kind: 'time'; time: TimeOfDay }
  | { kind: 'weather'; weather: Weather }
  | { kind: 'season'; season: Season }
  | { kind: 'style'; style: Style }
  | { kind: 'sight'; sight: Sight }
  | { kind: 'subject'; subject: SubjectKind }
  | { kind: 'colour'; colour: Rgb }
  | { kind: 'count'; count: number }
  | { kind: 'extra'; extra: Extra }

/** Singular words, spaces between, and phrases of such words, joined by `_`; Chinese words stand beside the English ones. */
const placeWords: Record<Place, string> = {
  lake: 'lake pond river mountain peak alps valley fjord hill cliff canyon waterfall 湖 山 河 江',
  sea: 'sea ocean beach coast shore wave island bay harbor harbour surf 海 大海 海洋 海边 岛 沙滩',
  forest: 'forest wood woods woodland jungle grove pine redwood bamboo rainforest 森林 树林 竹林',
  desert: 'desert dune sand sahara oasis savanna savannah 沙漠',
  city: 'city town street skyline skyscraper downtown urban tokyo paris london metropolis building 城市 街 街道 都市',
  space:
    'space galaxy planet nebula cosmos universe orbit asteroid comet mars saturn jupiter astronaut rocket spaceship cosmic 太空 宇宙 星球 银河',
  snowfield: 'tundra arctic glacier iceberg antarctica ice 雪原 雪地 冰川',
  meadow:
    'meadow field grass grassland prairie pasture farm garden flower tulip daisy poppy sunflower wildflower countryside steppe plain wheat 草原 田野 花园 草地 花 花田 花海 向日葵',
  underwater: 'underwater undersea reef coral seabed aquarium submarine diving 海底 水下 珊瑚 珊瑚礁',
  abstract: 'abstract pattern fractal gradient marble fluid liquid silk 抽象',
}

const timeWords: Record<TimeOfDay, string> = {
  dawn: 'dawn sunrise morning daybreak 黎明 日出 清晨 早晨 早上',
  day: 'day daylight daytime noon midday afternoon sunny 白天 中午 阳光',
  dusk: 'dusk sunset evening twilight golden sundown 黄昏 日落 傍晚 夕阳 晚霞',
  night:
    'night midnight nighttime moon moonlight moonlit starry star starlight starlit aurora northern dark 夜 夜晚 月 月亮 月光 星 星空 星星 午夜 极光',
}

const weatherWords: Record<Weather, string> = {
  clear: 'clear cloudless 晴',
  rain: 'rain rainy storm stormy drizzle thunderstorm thunder lightning tempest downpour wet 雨 暴雨 雷雨 雷 闪电 风暴 暴风雨 下雨',
  snow: 'snow snowy snowfall snowing blizzard winter snowflake frozen 雪 冬 冬天 冬季 雪地 雪原',
  fog: 'fog foggy mist misty haze hazy 雾',
}

const seasonWords: Record<Season, string> = {
  spring: 'spring springtime blossom sakura 春 春天 春季 樱花',
  summer: 'summer summertime midsummer 夏 夏天 夏季 夏日',
  autumn: 'autumn autumnal maple foliage october november 秋 秋天 秋季 秋日 枫叶',
}

const sightWords: Record<Sight, string> = {
  flowers: 'flower tulip daisy poppy sunflower wildflower blossom sakura 花 花田 花海 鲜花 郁金香 向日葵 樱花',
  aurora: 'aurora northern 极光',
  rainbow: 'rainbow 彩虹',
  lightning: 'storm stormy thunderstorm thunder lightning tempest 暴雨 雷雨 雷 闪电 风暴 暴风雨',
}

const styleWords: Record<Style, string> = {
  ink: 'ink sumi sketch charcoal 水墨 水墨画 素描',
  mono: 'monochrome noir grayscale greyscale black_and_white film_noir 黑白',
  film: 'film vintage retro analog analogue kodak 胶片 复古',
  neon: 'neon cyberpunk synthwave vaporwave 霓虹 赛博',
  pixel: 'pixel pixelart pixelated 像素 像素画',
}

const subjectWords: Record<SubjectKind, string> = {
  fox: 'fox 狐狸 狐',
  wolf: 'wolf coyote husky 狼',
  dog: 'dog puppy corgi retriever hound 狗 犬',
  cat: 'cat kitten kitty tiger lion leopard panther 猫 虎 狮',
  horse: 'horse pony stallion mare unicorn zebra 马',
  deer: 'deer stag elk moose reindeer antelope fawn 鹿',
  bear: 'bear grizzly panda 熊',
  bird: 'bird crow gull seagull eagle swallow crane goose dove raven flock 鸟 鹰 雁',
  person: 'person man woman girl boy child human traveler traveller wanderer hiker people figure walker monk 人 女孩 男孩',
  boat: 'boat ship sailboat sail yacht canoe vessel 船 帆',
  balloon: 'balloon 热气球 气球',
  house: 'house cabin hut cottage home barn farmhouse temple 房子 屋 小屋',
  tree: 'tree oak 树',
  lighthouse: 'lighthouse 灯塔',
  castle: 'castle palace fortress 城堡 宫殿',
  bridge: 'bridge 桥 大桥',
  car: 'car automobile truck taxi vehicle driving 汽车 车 轿车 跑车',
  train: 'train railway locomotive 火车 列车 高铁',
  fish: 'fish goldfish koi clownfish 鱼 金鱼',
  whale: 'whale orca humpback 鲸 鲸鱼',
  rocket: 'rocket spaceship spacecraft starship shuttle 火箭 飞船',
}

const colourWords: Record<string, string> = {
  '#c8452a': 'red crimson scarlet ruby 红',
  '#e07b2c': 'orange amber copper 橙',
  '#e8b53c': 'yellow gold 黄 金色',
  '#5a9a4a': 'green emerald jade lime 绿',
  '#2f9c9c': 'teal turquoise cyan aqua 青',
  '#3a6ac4': 'blue azure sapphire navy cobalt 蓝',
  '#7a4fb8': 'purple violet lavender indigo magenta 紫',
  '#e07aa4': 'pink rose 粉',
  '#f0ece6': 'white ivory 白',
  '#24222a': 'black ebony 黑',
  '#8a8c94': 'grey gray silver 灰',
  '#7a5236': 'brown chestnut bronze 棕',
}

const countWords: Record<string, string> = {
  1: 'a an one single lone',
  2: 'two pair couple both 两',
  3: 'three few several 三',
  4: 'four',
  5: 'five herd pack group many',
}

const extraWords: Record<Extra, string> = {
  birds: 'bird crow gull seagull flock 鸟',
  clouds: 'cloud cloudy 云',
  stars: 'star starry 星',
  mist: 'fog mist haze foggy misty hazy 雾',
  plants: 'grass reed plant tree flower 草',
}

function meanings(): Map<string, Meaning[]> {
  const table = new Map<string, Meaning[]>()
  const add = (words: string, meaning: Meaning): void => {
    for (const word of words.split(' ')) {
      const spoken = word.replaceAll('_', ' ')
      table.set(spoken, [...(table.get(spoken) ?? []), meaning])
    }
  }
  for (const [place, words] of entriesOf(placeWords)) add(words, { kind: 'place', place })
  for (const [time, words] of entriesOf(timeWords)) add(words, { kind: 'time', time })
  for (const [weather, words] of entriesOf(weatherWords)) add(words, { kind: 'weather', weather })
  for (const [season, words] of entriesOf(seasonWords)) add(words, { kind: 'season', season })
  for (const [style, words] of entriesOf(styleWords)) add(words, { kind: 'style', style })
  for (const [sight, words] of entriesOf(sightWords)) add(words, { kind: 'sight', sight })
  for (const [subject, words] of entriesOf(subjectWords)) add(words, { kind: 'subject', subject })
  for (const [colour, words] of Object.entries(colourWords)) add(words, { kind: 'colour', colour: hex(colour) })
  for (const [count, words] of Object.entries(countWords)) add(words, { kind: 'count', count: Number(count) })
  for (const [extra, words] of entriesOf(extraWords)) add(words, { kind: 'extra', extra })
  return table
}

function entriesOf<Key extends string>(record: Record<Key, string>): [Key, string][] {
  return Object.entries(record) as [Key, string][] // Object.entries forgets the key type of a closed record
}

export const vocabulary: ReadonlyMap<string, readonly Meaning[]> = meanings()
