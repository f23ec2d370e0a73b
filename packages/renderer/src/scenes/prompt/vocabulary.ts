import { hex, type Rgb } from '../../picture/color.ts'
import { colorWords, garmentWords, partWords, type ColorName } from './color-words.ts'
import type {
  Particles,
  Condition,
  OmittablePart,
  Mood,
  Motion,
  Season,
  Setting,
  Sight,
  Style,
  TimeOfDay,
  Weather,
} from './scene-brief.ts'
import type { Place } from './place.ts'
import { groupWords, subjectWords, type SubjectGroup, type SubjectKind } from './subject-words.ts'

export type Meaning =
  | { kind: 'place'; place: Place }
  | { kind: 'time'; time: TimeOfDay }
  | { kind: 'weather'; weather: Weather }
  | { kind: 'season'; season: Season }
  | { kind: 'mood'; mood: Mood }
  | { kind: 'setting'; setting: Setting }
  | { kind: 'style'; style: Style }
  | { kind: 'sight'; sight: Sight }
  | { kind: 'particles'; particles: Particles }
  | { kind: 'subject'; subject: SubjectKind }
  | { kind: 'group'; group: SubjectGroup }
  | { kind: 'motion'; motion: Motion }
  | { kind: 'riding' }
  | { kind: 'condition'; condition: Condition }
  | { kind: 'color'; name: ColorName; color: Rgb }
  | { kind: 'count'; count: number }
  | { kind: 'part'; natural: readonly ColorName[] }
  | { kind: 'garment' }
  | { kind: 'omittable'; part: OmittablePart }

/** English and Chinese words in the singular, separated by spaces. `_` joins a phrase. */
const placeWords: Record<Place, string> = {
  lake: 'lake pond fjord canal waterhole watering_hole 湖 山水',
  waterfall: 'waterfall cascade cataract niagara 瀑布',
  river: 'river stream creek brook riverbank 河 江 河流 小溪 溪流',
  volcano: 'volcano volcanic lava eruption erupting magma crater 火山 岩浆 熔岩',
  sky: 'sky cloud cloudscape flying above_the_cloud sea_of_cloud heaven 天空 云海 云端 云层',
  mountains:
    'mountain mountain_road peak summit alps alpine valley himalaya everest ridge mountainside 山 山脉 山峰 雪山 高山 山谷',
  beach: 'beach seashore seaside palm_beach tropical tropics lagoon palm_tree palm 沙滩 海滩 海边 棕榈 热带',
  sea: 'sea ocean coast coastal cliff shore wave island bay harbor harbour surf coastal_road coast_road seaside_road 海 大海 海洋 岛',
  forest: 'forest wood woods woodland grove 森林 树林',
  desert: 'desert dune sand sahara oasis savanna savannah 沙漠',
  village: 'village town hamlet small_town old_town countryside_town chinatown 村 村庄 村落 小镇 古镇 水乡 乡村',
  street:
    'street avenue boulevard road sidewalk crosswalk shopping_street city_street shopfront storefront shop_sign times_square skate_park skatepark 街 街道 街头 马路',
  room: 'room interior living_room office window windowsill fireplace indoors indoor throne_room ballroom corridor hallway hospital gym classroom workshop 房间 室内 客厅 窗 窗户',
  city: 'city skyline skyscraper downtown urban tokyo paris london manhattan new_york shanghai hong_kong dubai metropolis building factory 城市 都市 上海 北京 东京 纽约',
  space: 'space planet cosmos universe asteroid comet cosmic 太空 宇宙 星球',
  snowfield: 'snowfield tundra arctic glacier antarctica ski_slope ski_resort ice 雪原 雪地 冰川',
  meadow:
    'meadow hill hillside field grass grassland prairie pasture farm garden flower tulip daisy poppy sunflower wildflower countryside steppe plain country_road dirt_road 草原 田野 花园 草地 花 花田 花海 向日葵',
  underwater:
    'underwater undersea under_the_sea under_water beneath_the_wave beneath_the_sea deep_sea ocean_floor kelp reef coral seabed aquarium submarine diving shipwreck sunken_ship 海底 水下 珊瑚 珊瑚礁',
  table: 'still_life tabletop table desk food_photography 静物 桌子 桌上',
  podium:
    'podium pedestal plinth product_shot product_photo product_photography product_video studio_light packshot display_stand 展台',
  stadium: 'stadium arena sport_field playing_field ball_game 体育场 球场',
  emblem: 'logo logotype emblem brand_mark wordmark monogram 标志 徽标 商标',
  abstract: 'abstract pattern fractal gradient marble fluid liquid silk 抽象',
}

const timeWords: Record<TimeOfDay, string> = {
  dawn: 'dawn sunrise morning daybreak 黎明 日出 清晨 早晨 早上',
  day: 'day daylight daytime noon midday afternoon sunny 白天 中午 阳光',
  dusk: 'dusk sunset evening twilight golden golden_hour sundown 黄昏 日落 傍晚 夕阳 晚霞',
  night:
    'night midnight nighttime moon moonlight moonlit starry star starlight starlit aurora northern_light dark_sky in_the_dark shooting_star falling_star meteor_shower 夜 夜晚 月 月亮 月光 星 星空 星星 午夜 极光',
}

const weatherWords: Record<Weather, string> = {
  clear: 'clear cloudless 晴',
  rain: 'rain rainy storm stormy drizzle thunderstorm thunder lightning tempest downpour wet 雨 暴雨 雷雨 雷 闪电 风暴 暴风雨 下雨',
  snow: 'snow snowy snowfall snowing blizzard winter snowflake frozen 雪 冬 冬天 冬季 雪地 雪原',
  fog: 'fog foggy mist misty haze hazy 雾',
}

const seasonWords: Record<Season, string> = {
  spring: 'spring springtime blossom cherry_blossom plum_blossom cherry_tree sakura 春 春天 春季 樱花',
  summer: 'summer summertime midsummer 夏 夏天 夏季 夏日',
  autumn: 'autumn autumnal maple foliage october november 秋 秋天 秋季 秋日 枫叶',
}

const sightWords: Record<Sight, string> = {
  flowers: 'flower tulip daisy poppy sunflower wildflower 花 花田 花海 鲜花 郁金香 向日葵',
  aurora: 'aurora northern_light 极光',
  rainbow: 'rainbow 彩虹',
  lightning: 'storm stormy thunderstorm thunder lightning tempest 暴雨 雷雨 雷 闪电 风暴 暴风雨',
}

const moodWords: Record<Mood, string> = {
  calm: 'calm peaceful serene tranquil quiet gentle serenity 宁静 平静 安静',
  dramatic: 'dramatic epic majestic intense powerful grand 壮观 震撼 史诗',
  dreamy: 'dreamy dream dreamlike magical ethereal fairytale enchanted surreal whimsical 梦幻 梦境 童话',
  gloomy: 'gloomy abandoned desolate bleak dreary somber sombre melancholy melancholic sad moody overcast 阴沉 忧郁 阴天',
  mysterious: 'mysterious mystical mystic secret enigmatic ancient 神秘',
  joyful: 'joyful happy cheerful bright vibrant lively playful colorful colourful 欢乐 快乐 明亮 鲜艳',
  romantic: 'romantic love tender 浪漫',
  eerie: 'eerie spooky haunted creepy horror sinister ominous 诡异 恐怖 阴森',
}

/**
 * Variants of each place. The word for a variant also implies the place, unless the variant fits
 * every place.
 */
const settingWords: Record<Setting, { place?: Place; words: string }> = {
  canyon: { place: 'desert', words: 'cappadocia canyon mesa butte gorge badland 峡谷' },
  lavender: { place: 'meadow', words: 'lavender_field field_of_lavender 薰衣草' },
  alley: { place: 'street', words: 'alley alleyway lane 小巷 巷子' },
  library: { place: 'room', words: 'library study bookshop 图书馆 书房' },
  bedroom: { place: 'room', words: 'bedroom 卧室' },
  kitchen: { place: 'room', words: 'kitchen 厨房' },
  cafe: {
    place: 'room',
    words: 'cafe coffee_shop coffee_house coffee_bar restaurant bistro diner dark_bar bar_counter hotel_bar cocktail_bar 咖啡馆',
  },
  conifers: { place: 'forest', words: 'pine fir spruce conifer taiga 松树 松林' },
  birches: { place: 'forest', words: 'birch aspen 白桦 桦树 白桦林' },
  bamboo: { place: 'forest', words: 'bamboo 竹林 竹子' },
  jungle: { place: 'forest', words: 'jungle greenhouse rainforest amazon 丛林 雨林 热带雨林' },
  redwoods: { place: 'forest', words: 'redwood sequoia giant_tree' },
  orbit: { place: 'space', words: 'orbit earth satellite planet_earth blue_planet 地球 轨道' },
  galaxy: { place: 'space', words: 'galaxy nebula milky_way 银河 星云 星系' },
  'gas giant': { place: 'space', words: 'saturn jupiter gas_giant ringed_planet 土星 木星' },
  moonscape: { place: 'space', words: 'lunar moon_surface surface_of_the_moon moonscape on_the_moon 月球 月面' },
  mars: { place: 'space', words: 'mars martian red_planet 火星' },
  wheat: { place: 'meadow', words: 'wheat grain wave_of_grain wave_of_wheat amber_wave 麦田' },
  sunflowers: { place: 'meadow', words: 'sunflower 向日葵' },
  tulips: { place: 'meadow', words: 'tulip 郁金香' },
  poppies: { place: 'meadow', words: 'poppy 罂粟 虞美人' },
  daisies: { place: 'meadow', words: 'daisy chamomile 雏菊' },
  soccer: {
    place: 'stadium',
    words: 'soccer football football_match footballer football_player soccer_player soccer_ball penalty_kick goalkeeper 足球',
  },
  basketball: { place: 'stadium', words: 'basketball basketball_player basketball_court basketball_hoop slam_dunk 篮球' },
  tennis: {
    place: 'stadium',
    words: 'tennis tennis_ball tennis_court tennis_player tennis_match volleyball badminton 网球 排球',
  },
  baseball: { place: 'stadium', words: 'baseball baseball_pitcher baseball_player softball 棒球' },
  portrait: { words: 'portrait headshot 肖像 人像' },
  blossom: { words: 'blossom sakura cherry_blossom cherry_tree plum_blossom 樱花 桃花 梅花' },
}

const particleWords: Record<Particles, string> = {
  fireflies: 'firefly glow_worm lightning_bug fairy_light 萤火虫 萤火',
  embers: 'ember spark fire flame burning campfire bonfire lava eruption 火 火焰 火星 余烬 篝火 岩浆',
  meteors: 'shooting_star falling_star meteor meteor_shower perseid 流星 流星雨',
  petals: 'petal blossom_falling 花瓣 落花',
  leaves: 'falling_leaf autumn_leaf fallen_leaf leaf_falling 落叶 秋叶',
  dust: 'dust dusty dust_mote 尘埃 灰尘',
  bubbles: 'bubble soap_bubble 气泡 泡泡',
}

const styleWords: Record<Style, string> = {
  watercolour: 'watercolour watercolor aquarelle water_colour water_color gouache 水彩 水彩画',
  oil: 'impasto oil_painting oil_paint oil_on_canvas painterly impressionist impressionism 油画 印象派',
  papercut:
    'papercut papercraft kirigami origami paper_cut cut_paper paper_craft paper_art paper_collage layered_paper 剪纸 折纸 纸雕',
  minimal: 'minimal minimalist minimalistic minimalism flat_design simple_shapes 极简 极简主义 简约',
  ink: 'ink sumi sketch charcoal 水墨 水墨画 素描',
  mono: 'monochrome noir grayscale greyscale black_and_white film_noir 黑白',
  film: 'film vintage retro analog analogue kodak 胶片 复古',
  neon: 'neon cyberpunk synthwave vaporwave 霓虹 赛博',
  pixel: 'pixel pixelart pixelated 像素 像素画',
}

const motionWords: Record<Motion, string> = {
  runs: 'running gallop galloping sprinting racing chasing trotting run_through run_across run_along 奔跑 奔驰 飞奔 跑',
  rests: 'standing resting sleeping asleep lying waiting stand leaning parked 站 站着 休息 睡觉 睡着',
  sits: 'sitting sit seated perched crouching 坐 坐着 蹲',
}

const ridingWords = 'riding ride rider horseback on_horseback mounted astride 骑 骑马 骑着'

/** Words for conditions. A condition applies to a subject near the word that can have it. */
const conditionWords: Record<Condition, string> = {
  burning: 'burning blazing ablaze in_flame on_fire flaming 燃烧 着火',
  ruined: 'ruined crumbling collapsed derelict 倒塌',
  'breathing fire': 'breathing_fire breathe_fire breathed_fire fire_breathing spitting_fire breath_of_fire 喷火',
  leaping: 'breaching breach leaping jumping_out leap_out leaping_out 跃出',
}

const countWords: Record<string, string> = {
  1: 'a an one single lone 一',
  2: 'two pair both pair_of couple_of 两 二 双',
  3: 'three few several trio 三 几',
  4: 'four 四',
  5: 'five flock flock_of herd_of pack_of herd pack group family many hot_air_balloon_festival balloon_festival balloon_fiesta 五 一群 群 许多',
  6: 'six dozen hundred thousand crowd swarm 六',
  7: 'seven 七',
  8: 'eight 八',
  9: 'nine 九',
}

/** Phrases without a meaning for the scene, such as camera terms and idioms. */
const emptyWords =
  'depth_of_field field_of_view field_of_vision with_ice ice_cube on_the_rock with_a_lantern holding_a_lantern broken_window table_mountain table_tennis crystal_ball ball_gown masked_ball coffee_table tea_light cup_of bowl_of world_cup glass_wall glass_window glass_tower fire_hydrant fire_truck fire_engine book_cover fish_bowl hot_dog bird_s_eye bird_eye crane_shot crane_up crane_down rock_star movie_star film_star pop_star five_star star_of queen_bee worker_bee king_size queen_size chess_king building_a building_an building_sandcastle building_sand_castle heat_wave sound_wave wave_at wave_to wave_goodbye wave_hello dragon_fruit fish_eye horse_power house_music wood_grain film_grain golden_ratio 明星 马路 马上 星期'

const omittablePartWords: Record<OmittablePart, string> = {
  birds: 'bird crow gull seagull flock 鸟',
  clouds: 'cloud cloudy 云',
  stars: 'star starry 星',
  mist: 'fog mist haze foggy misty hazy 雾',
  plants: 'grass reed plant tree flower 草',
}

function createMeanings(): Map<string, Meaning[]> {
  const table = new Map<string, Meaning[]>()
  const add = (words: string, meaning: Meaning): void => {
    for (const word of wordsOf(words)) {
      const meanings = table.get(word) ?? []
      if (!meanings.some((other) => JSON.stringify(other) === JSON.stringify(meaning))) table.set(word, [...meanings, meaning])
    }
  }
  for (const [place, words] of entriesOf(placeWords)) add(words, { kind: 'place', place })
  for (const [time, words] of entriesOf(timeWords)) add(words, { kind: 'time', time })
  for (const [weather, words] of entriesOf(weatherWords)) add(words, { kind: 'weather', weather })
  for (const [season, words] of entriesOf(seasonWords)) add(words, { kind: 'season', season })
  for (const [mood, words] of entriesOf(moodWords)) add(words, { kind: 'mood', mood })
  for (const [setting, { place, words }] of entriesOf(settingWords)) {
    if (place) add(words, { kind: 'place', place })
    add(words, { kind: 'setting', setting })
  }
  for (const [style, words] of entriesOf(styleWords)) add(words, { kind: 'style', style })
  for (const [sight, words] of entriesOf(sightWords)) add(words, { kind: 'sight', sight })
  for (const [particles, words] of entriesOf(particleWords)) add(words, { kind: 'particles', particles })
  for (const [subject, { words }] of entriesOf(subjectWords)) add(words, { kind: 'subject', subject })
  add(ridingWords, { kind: 'riding' })
  for (const [condition, words] of entriesOf(conditionWords)) add(words, { kind: 'condition', condition })
  for (const [motion, words] of entriesOf(motionWords)) add(words, { kind: 'motion', motion })
  for (const [group, words] of entriesOf(groupWords)) add(words, { kind: 'group', group })
  for (const [name, color] of entriesOf(colorWords)) add(color.words, { kind: 'color', name, color: hex(color.hex) })
  for (const { natural, words } of Object.values(partWords)) add(words, { kind: 'part', natural })
  add(garmentWords, { kind: 'garment' })
  for (const [count, words] of Object.entries(countWords)) add(words, { kind: 'count', count: Number(count) })
  for (const [part, words] of entriesOf(omittablePartWords)) add(words, { kind: 'omittable', part })
  for (const word of wordsOf(emptyWords)) table.set(word, [])
  return table
}

function wordsOf(words: string): string[] {
  return words.split(' ').map((word) => word.replaceAll('_', ' '))
}

function entriesOf<Key extends string, Value>(record: Record<Key, Value>): [Key, Value][] {
  return Object.entries(record) as [Key, Value][] // Object.entries loses the key type of a closed record
}

export const vocabulary: ReadonlyMap<string, readonly Meaning[]> = createMeanings()
