import type { Place } from './place.ts'

/**
 * Groups of subjects. A negated word for a group ("no people", "no animals") removes all subjects
 * of the group.
 */
export type SubjectGroup = 'people' | 'animals'

export const groupWords: Record<SubjectGroup, string> = {
  people: 'person people human figure crowd 人 人物',
  animals: 'animal wildlife creature beast 动物',
}

interface SubjectEntry {
  /** Place where the subject is shown if the prompt names no place. */
  home: Place
  words: string
  group?: SubjectGroup
  /** Set if one drawing already shows several objects: "shoes" and "a shoe" give the same image. */
  collective?: true
}

/**
 * Subjects that a scene can show. A key is part of the seed of the drawing, so a renamed key changes
 * the image.
 */
export const subjectWords = {
  person: {
    home: 'meadow',
    group: 'people',
    words:
      'person human people figure walker traveler traveller wanderer hiker monk farmer sailor pirate lighthouse_keeper musician violinist guitarist pianist drummer singer boxer photographer teacher student worker 人',
  },
  man: {
    home: 'meadow',
    group: 'people',
    words: 'man guy gentleman father grandfather soldier fisherman businessman 男人 男子 老人 爷爷',
  },
  woman: {
    home: 'meadow',
    group: 'people',
    words: 'woman lady girl mother grandmother businesswoman 女人 女子 女孩 姑娘 少女',
  },
  child: { home: 'meadow', group: 'people', words: 'child kid boy toddler 孩子 小孩 男孩 儿童' },
  knight: { home: 'meadow', group: 'people', words: 'knight crusader paladin 骑士' },
  samurai: { home: 'meadow', group: 'people', words: 'samurai ronin shogun 武士' },
  king: { home: 'meadow', group: 'people', words: 'king emperor prince 国王 皇帝' },
  queen: { home: 'meadow', group: 'people', words: 'queen princess empress 女王 公主 皇后' },
  wizard: { home: 'forest', group: 'people', words: 'wizard sorcerer mage warlock 巫师 法师 魔法师' },
  cowboy: { home: 'desert', group: 'people', words: 'cowboy gunslinger' },
  chef: { home: 'room', group: 'people', words: 'chef cook sous_chef sushi_chef pastry_chef 厨师 大厨' },
  artisan: {
    home: 'room',
    group: 'people',
    words:
      'barista bartender waiter waitress potter blacksmith carpenter baker shoemaker craftsman artisan 铁匠 陶艺家 咖啡师 面包师',
  },
  firefighter: { home: 'meadow', group: 'people', words: 'firefighter fireman fire_fighter 消防员' },
  medic: { home: 'room', group: 'people', words: 'doctor nurse surgeon paramedic physician scientist 医生 护士 科学家' },
  skateboarder: {
    home: 'street',
    group: 'people',
    words: 'skateboarder skateboard skateboarding kickflip skateboard_trick skate_trick 滑板',
  },
  surfer: { home: 'sea', group: 'people', words: 'surfer surfing surfboard surfboarder 冲浪' },
  snowboarder: { home: 'snowfield', group: 'people', words: 'snowboarder snowboard snowboarding 单板滑雪' },
  skier: { home: 'snowfield', group: 'people', words: 'skier skiing freeskier 滑雪' },
  couple: { home: 'meadow', group: 'people', words: 'couple lover dancing_couple 情侣 夫妻 恋人' },
  wedding: {
    home: 'meadow',
    group: 'people',
    words:
      'wedding bride_and_groom bride_and_the_groom bride_and_a_groom groom_and_bride wedding_couple newlywed married_couple 婚礼 新郎新娘 新婚',
  },
  bride: { home: 'meadow', group: 'people', words: 'bride 新娘' },
  groom: { home: 'meadow', group: 'people', words: 'groom bridegroom 新郎' },
  player: {
    home: 'stadium',
    group: 'people',
    words:
      'athlete footballer goalkeeper football_player soccer_player basketball_player tennis_player baseball_player baseball_pitcher 运动员 球员',
  },
  dancer: { home: 'meadow', group: 'people', words: 'dancer ballerina ballet dancing 舞者 芭蕾 跳舞' },
  umbrella: { home: 'city', group: 'people', words: 'umbrella parasol 雨伞 伞' },
  astronaut: { home: 'space', group: 'people', words: 'astronaut cosmonaut spaceman 宇航员 航天员' },
  robot: { home: 'city', words: 'robot android cyborg mech droid 机器人 机甲' },
  fox: { home: 'forest', group: 'animals', words: 'fox 狐狸 狐' },
  wolf: { home: 'forest', group: 'animals', words: 'wolf coyote husky 狼' },
  dog: { home: 'meadow', group: 'animals', words: 'dog puppy boxer_dog corgi retriever hound 狗 小狗 犬' },
  cat: { home: 'meadow', group: 'animals', words: 'cat kitten kitty tomcat tabby 猫 小猫 猫咪' },
  tiger: { home: 'forest', group: 'animals', words: 'tiger tigress 虎 老虎' },
  lion: { home: 'meadow', group: 'animals', words: 'lion 狮 狮子' },
  leopard: { home: 'forest', group: 'animals', words: 'leopard jaguar cheetah panther 豹 豹子 猎豹' },
  horse: { home: 'meadow', group: 'animals', words: 'horse pony stallion mare mustang 马 骏马' },
  unicorn: { home: 'meadow', group: 'animals', words: 'unicorn 独角兽' },
  zebra: { home: 'desert', group: 'animals', words: 'zebra 斑马' },
  deer: { home: 'forest', group: 'animals', words: 'deer stag elk moose reindeer antelope fawn 鹿 小鹿 麋鹿' },
  bear: { home: 'forest', group: 'animals', words: 'bear grizzly 熊' },
  panda: { home: 'forest', group: 'animals', words: 'panda 熊猫 大熊猫' },
  cow: { home: 'meadow', group: 'animals', words: 'cow bull cattle calf ox 牛 奶牛' },
  camel: { home: 'desert', group: 'animals', words: 'camel dromedary caravan 骆驼' },
  elephant: { home: 'meadow', group: 'animals', words: 'elephant mammoth 大象 象' },
  rabbit: { home: 'meadow', group: 'animals', words: 'rabbit bunny hare 兔子 兔 小兔' },
  penguin: { home: 'snowfield', group: 'animals', words: 'penguin emperor_penguin king_penguin 企鹅' },
  dinosaur: { home: 'forest', group: 'animals', words: 'dinosaur tyrannosaurus t_rex trex raptor 恐龙 霸王龙' },
  dragon: { home: 'lake', group: 'animals', words: 'dragon wyvern 龙 巨龙 飞龙' },
  owl: { home: 'forest', group: 'animals', words: 'owl 猫头鹰' },
  bird: {
    home: 'lake',
    group: 'animals',
    words: 'bird swallow crane goose dove pigeon sparrow flock 鸟 小鸟 飞鸟 雁 大雁 燕子 鸽子 仙鹤',
  },
  gull: { home: 'sea', group: 'animals', words: 'gull seagull albatross tern 海鸥' },
  crow: { home: 'meadow', group: 'animals', words: 'crow raven 乌鸦' },
  eagle: { home: 'mountains', group: 'animals', words: 'eagle hawk falcon condor vulture 鹰 老鹰 雄鹰' },
  flamingo: { home: 'lake', group: 'animals', words: 'flamingo 火烈鸟' },
  swan: { home: 'lake', group: 'animals', words: 'swan duck 天鹅 鸭子 鸭' },
  butterfly: { home: 'meadow', group: 'animals', words: 'butterfly dragonfly moth 蝴蝶 蜻蜓' },
  dolphin: { home: 'sea', group: 'animals', words: 'dolphin porpoise 海豚' },
  whale: { home: 'underwater', group: 'animals', words: 'whale orca humpback 鲸 鲸鱼' },
  fish: { home: 'underwater', group: 'animals', words: 'fish clownfish 鱼 小丑鱼' },
  goldfish: { home: 'underwater', group: 'animals', words: 'goldfish koi carp 金鱼 锦鲤' },
  turtle: { home: 'underwater', group: 'animals', words: 'turtle tortoise sea_turtle 海龟 乌龟 龟' },
  jellyfish: { home: 'underwater', group: 'animals', words: 'jellyfish medusa 水母' },
  octopus: { home: 'underwater', group: 'animals', words: 'octopus kraken squid 章鱼 八爪鱼 乌贼' },
  boat: {
    home: 'sea',
    words: 'boat ship sailboat sail yacht canoe vessel gondola pirate_ship viking_ship sailing_ship tall_ship 船 帆 帆船 小船',
  },
  ship: {
    home: 'sea',
    words: 'cargo_ship container_ship freighter freight_ship tanker oil_tanker steamship 货轮 轮船',
  },
  car: { home: 'meadow', words: 'car automobile truck taxi vehicle driving 汽车 车 轿车 跑车' },
  tractor: { home: 'meadow', words: 'tractor 拖拉机' },
  bicycle: { home: 'meadow', words: 'bicycle bike cyclist cycling 自行车 单车' },
  train: { home: 'meadow', words: 'train railway locomotive 火车 列车 高铁' },
  steamtrain: {
    home: 'meadow',
    words: 'steam_train steam_locomotive steam_engine steam_railway 蒸汽火车 蒸汽机车',
  },
  airplane: { home: 'sky', words: 'airplane aeroplane plane jet aircraft airliner 飞机 客机' },
  helicopter: { home: 'city', words: 'helicopter chopper 直升机' },
  rocket: { home: 'space', words: 'rocket spaceship spacecraft starship shuttle 火箭 飞船' },
  ufo: { home: 'desert', words: 'ufo flying_saucer alien_ship saucer 飞碟 不明飞行物' },
  balloon: {
    home: 'lake',
    words: 'balloon hot_air_balloon hot_air_balloon_festival balloon_festival balloon_fiesta 热气球 气球',
  },
  kite: { home: 'meadow', words: 'kite 风筝' },
  lantern: { home: 'lake', words: 'lantern sky_lantern paper_lantern 灯笼 孔明灯 天灯' },
  house: { home: 'meadow', words: 'house cabin hut cottage home barn farmhouse 房子 屋 小屋 木屋' },
  castle: { home: 'lake', words: 'castle palace fortress 城堡 宫殿' },
  pagoda: { home: 'lake', words: 'pagoda temple shrine 宝塔 塔 寺庙 寺' },
  tower: { home: 'city', words: 'eiffel_tower tokyo_tower radio_tower tv_tower transmission_tower 铁塔 埃菲尔铁塔' },
  keep: { home: 'meadow', words: 'tower watchtower bell_tower clock_tower stone_tower church_tower turret 高塔 塔楼' },
  ruin: { home: 'meadow', words: 'ruin ancient_ruin temple_ruin castle_ruin ruined_temple ruined_city 废墟 遗迹' },
  lighthouse: { home: 'sea', words: 'lighthouse 灯塔' },
  iceberg: { home: 'sea', words: 'iceberg ice_floe 冰山' },
  pyramid: { home: 'desert', words: 'pyramid giza 金字塔' },
  windmill: { home: 'meadow', words: 'windmill 风车' },
  bridge: { home: 'sea', words: 'bridge viaduct 桥 大桥' },
  tree: { home: 'meadow', words: 'tree oak cherry_tree apple_tree 树 大树' },
  palm: { home: 'beach', words: 'palm palm_tree coconut_tree coconut_palm 棕榈 棕榈树 椰树 椰子树' },
  cactus: { home: 'desert', words: 'cactus saguaro cacti 仙人掌' },
  snowman: { home: 'snowfield', words: 'snowman 雪人' },
  campfire: { home: 'forest', words: 'campfire bonfire camp_fire 篝火 营火' },
  cup: {
    home: 'table',
    words:
      'cup mug coffee tea espresso cappuccino latte cocoa hot_chocolate teacup cup_of_tea cup_of_coffee coffee_cup coffee_mug tea_cup 咖啡 茶 杯子',
  },
  noodles: {
    home: 'table',
    collective: true,
    words: 'ramen noodle soup pho udon stew bowl_of_rice bowl_of_noodle bowl_of_soup 面条 拉面 汤',
  },
  fruit: {
    home: 'table',
    collective: true,
    words: 'fruit bowl_of_fruit fruit_bowl apple peach lemon grape strawberry banana 水果 苹果',
  },
  vegetables: { home: 'table', collective: true, words: 'vegetable salad carrot tomato 蔬菜 沙拉' },
  cake: { home: 'table', words: 'cake birthday_cake wedding_cake chocolate_cake cupcake cheesecake 蛋糕' },
  pancakes: { home: 'table', collective: true, words: 'pancake stack_of_pancake waffle 煎饼' },
  burger: { home: 'table', words: 'burger hamburger cheeseburger sandwich 汉堡' },
  fries: { home: 'table', collective: true, words: 'french_fry fries 薯条' },
  pizza: { home: 'table', words: 'pizza slice_of_pizza 披萨' },
  sushi: { home: 'table', collective: true, words: 'sushi maki nigiri 寿司' },
  bread: { home: 'table', words: 'bread loaf baguette croissant loaf_of_bread 面包' },
  icecream: { home: 'table', words: 'ice_cream gelato sundae ice_cream_cone 冰淇淋' },
  tumbler: {
    home: 'table',
    words:
      'whisky whiskey bourbon rum cocktail lemonade juice beer glass_of_whisky glass_of_water glass_of_beer 威士忌 鸡尾酒 啤酒',
  },
  wine: { home: 'table', words: 'wine champagne glass_of_wine wine_glass red_wine white_wine 红酒 葡萄酒' },
  bottle: { home: 'table', words: 'bottle wine_bottle glass_bottle 瓶子' },
  book: { home: 'table', words: 'book open_book notebook diary 书 书本' },
  candle: { home: 'table', words: 'candle candlelight candlelit 蜡烛 烛光' },
  vase: { home: 'table', words: 'vase bouquet flower_vase vase_of_flower bouquet_of_flower 花瓶 花束' },
  perfume: { home: 'podium', words: 'perfume fragrance cologne perfume_bottle 香水' },
  watch: { home: 'podium', words: 'wristwatch wrist_watch smartwatch smart_watch luxury_watch watch_face 手表 腕表' },
  shoe: { home: 'podium', collective: true, words: 'sneaker shoe running_shoe 运动鞋 鞋子' },
  phone: { home: 'podium', words: 'smartphone phone cellphone mobile_phone 手机' },
  headphones: { home: 'podium', collective: true, words: 'headphone headset earphone 耳机' },
  jar: {
    home: 'podium',
    words: 'skincare cosmetic moisturizer lotion face_cream serum cream_jar skincare_product cosmetic_product 护肤品 化妆品',
  },
  can: { home: 'podium', words: 'soda soda_can cola energy_drink beer_can soft_drink 汽水 可乐' },
  jewel: {
    home: 'podium',
    words: 'diamond gem gemstone jewel jewelry jewellery diamond_ring engagement_ring wedding_ring necklace 钻石 戒指 珠宝',
  },
  product: { home: 'podium', words: 'product package gift gift_box present_box 产品 礼物' },
  ball: {
    home: 'stadium',
    words: 'ball football soccer_ball basketball volleyball baseball tennis_ball 足球 篮球 网球 排球',
  },
} as const satisfies Record<string, SubjectEntry>

export type SubjectKind = keyof typeof subjectWords

/** Returns whether the subject is an item on a table or podium. */
export function isItem(kind: SubjectKind): boolean {
  const { home } = subjectWords[kind]
  return home === 'table' || home === 'podium'
}

/**
 * Returns whether one drawing already shows several objects. A plural then does not add objects.
 */
export function isCollective(kind: SubjectKind): boolean {
  return 'collective' in subjectWords[kind]
}
