/** Who moves in, and what they have been up to. The pictures were drawn for this project. */

export type Neighbour = { name: string; username: string; bio: string }

export const neighbours: Neighbour[] = [
  { name: 'Lucía Ferrer', username: 'lucia.ferrer', bio: 'Luz, mar y cuadernos. Valencia.' },
  { name: 'Marisol Quiroga', username: 'marisol.barro', bio: 'Ceramista en Tonalá. El barro manda.' },
  { name: 'Sofía Arce', username: 'sofia.arce', bio: 'Dibujo plantas que no se mueren.' },
  { name: 'Wanjiru Kamau', username: 'wanjiru', bio: 'Long walks, short poems. Nairobi and Lisbon.' },
  {
    name: 'Helena Prado',
    username: 'helenaprado',
    bio: 'Fotógrafa de bodas los sábados, de nubes el resto.',
  },
  { name: 'Yuki Tanaka', username: 'yuki.t', bio: '本と珈琲。 Books and coffee.' },
  { name: 'Paloma Ruiz', username: 'paloma.r', bio: 'Arquitecta. Colecciono puertas azules.' },
  { name: 'Nuria Beltrán', username: 'nuria.b', bio: 'Huerto, pan y paciencia.' },
  { name: 'Valentina Ossa', username: 'valeossa', bio: 'Globos, faros, trenes. Medellín.' },
  { name: 'Rosa María Paredes', username: 'rosamaria', bio: 'Abuela, maestra jubilada, lectora de domingo.' },
  { name: 'Inés Robledo', username: 'inesrobledo', bio: 'Subo montañas despacio.' },
  { name: 'Teresa Ibáñez', username: 'tere.ibanez', bio: 'Tejo mientras hablo.' },
]

/** `by` and `likedBy` are usernames, `hoursAgo` is counted back from now, `group` is a name of `groups`. */
export type Story = {
  by: string
  picture: string
  caption: string
  location: string
  tags: string[]
  hoursAgo: number
  likedBy: string[]
  group?: string
}

export const stories: Story[] = [
  {
    by: 'marisol.barro',
    picture: 'ceramics',
    caption: 'Salió del horno la última hornada del año. La blanca se queda conmigo; las demás buscan casa.',
    location: 'Tonalá, Jalisco',
    tags: ['barro', 'hechoamano', 'taller'],
    hoursAgo: 0.4,
    likedBy: ['lucia.ferrer', 'sofia.arce', 'tere.ibanez', 'nuria.b', 'wanjiru'],
    group: 'Club de Cerámica',
  },
  {
    by: 'lucia.ferrer',
    picture: 'sea',
    caption: 'El mar a las siete, antes de que nadie le pida nada.',
    location: 'El Saler, Valencia',
    tags: ['mar', 'amanecer'],
    hoursAgo: 3,
    likedBy: ['helenaprado', 'paloma.r', 'wanjiru'],
  },
  {
    by: 'paloma.r',
    picture: 'bougain',
    caption: 'Puerta azul número 214. La buganvilla firmó sin leer el contrato.',
    location: 'Mojácar, Almería',
    tags: ['puertas', 'azul'],
    hoursAgo: 6,
    likedBy: ['lucia.ferrer', 'valeossa', 'sofia.arce', 'rosamaria'],
  },
  {
    by: 'yuki.t',
    picture: 'coffee',
    caption: 'Second cup, third chapter. No plans until the rain stops.',
    location: 'Kyoto',
    tags: ['coffee', 'reading'],
    hoursAgo: 9,
    likedBy: ['wanjiru', 'lucia.ferrer'],
  },
  {
    by: 'nuria.b',
    picture: 'lemons',
    caption: 'Limones del huerto y azulejos de la abuela.\n\nSe reparten el domingo: traed bolsa.',
    location: 'Xàtiva',
    tags: ['huerto', 'limones', 'domingo'],
    hoursAgo: 22,
    likedBy: ['rosamaria', 'tere.ibanez', 'lucia.ferrer', 'inesrobledo'],
  },
  {
    by: 'valeossa',
    picture: 'balloons',
    caption: 'Nos despertaron a las cuatro y nadie se quejó.',
    location: 'Capadocia',
    tags: ['globos', 'viaje'],
    hoursAgo: 30,
    likedBy: ['helenaprado', 'lucia.ferrer', 'paloma.r', 'yuki.t', 'wanjiru', 'inesrobledo'],
  },
  {
    by: 'rosamaria',
    picture: 'books',
    caption: 'Las tres que llevo al club este mes. La de arriba ya la he terminado dos veces.',
    location: 'Oviedo',
    tags: ['lecturas'],
    hoursAgo: 47,
    likedBy: ['yuki.t', 'lucia.ferrer', 'tere.ibanez'],
    group: 'Lectoras de Domingo',
  },
  {
    by: 'helenaprado',
    picture: 'lavender',
    caption: 'Diez minutos de este cielo y ni un solo coche.',
    location: 'Brihuega, Guadalajara',
    tags: ['lavanda', 'atardecer'],
    hoursAgo: 70,
    likedBy: ['lucia.ferrer', 'sofia.arce'],
  },
  {
    by: 'tere.ibanez',
    picture: 'yarn',
    caption: 'Lana nueva. No necesitaba lana nueva.',
    location: 'Zaragoza',
    tags: ['punto', 'lana'],
    hoursAgo: 96,
    likedBy: ['rosamaria', 'nuria.b', 'marisol.barro'],
  },
  {
    by: 'inesrobledo',
    picture: 'forest',
    caption: 'La niebla sube más deprisa que nosotras. Bajamos a tiempo para el caldo.',
    location: 'Redes, Asturias',
    tags: ['monte', 'niebla'],
    hoursAgo: 120,
    likedBy: ['wanjiru', 'helenaprado', 'lucia.ferrer'],
    group: 'Senderistas del Norte',
  },
  {
    by: 'sofia.arce',
    picture: 'succulent',
    caption: 'Esta lleva seis años conmigo. Un récord.',
    location: 'Granada',
    tags: ['plantas'],
    hoursAgo: 150,
    likedBy: ['nuria.b'],
  },
  {
    by: 'wanjiru',
    picture: 'lanterns',
    caption: 'Everybody wrote a wish. Nobody told.',
    location: 'Hội An',
    tags: ['lanterns', 'night'],
    hoursAgo: 180,
    likedBy: ['yuki.t', 'valeossa', 'lucia.ferrer', 'paloma.r'],
  },
  {
    by: 'paloma.r',
    picture: 'barragan',
    caption: 'Color y sombra: lo demás sobra.',
    location: 'Ciudad de México',
    tags: ['arquitectura', 'rosa'],
    hoursAgo: 260,
    likedBy: ['lucia.ferrer', 'helenaprado', 'marisol.barro'],
  },
  {
    by: 'valeossa',
    picture: 'parasols',
    caption: 'Geometría de agosto.',
    location: 'Lido di Ostia',
    tags: ['playa', 'verano'],
    hoursAgo: 400,
    likedBy: ['paloma.r', 'lucia.ferrer'],
  },
  {
    by: 'nuria.b',
    picture: 'table',
    caption: 'Sobremesa larga. Faltan dos sillas y sobran historias.',
    location: 'Xàtiva',
    tags: ['sobremesa'],
    hoursAgo: 560,
    likedBy: ['rosamaria', 'lucia.ferrer', 'sofia.arce', 'tere.ibanez'],
  },
  {
    by: 'helenaprado',
    picture: 'dahlia',
    caption: 'Dalia, 1/250, con viento y sin prisa.',
    location: 'Aranjuez',
    tags: ['flores', 'macro'],
    hoursAgo: 800,
    likedBy: ['sofia.arce', 'marisol.barro'],
  },
]

/** Usernames; each also follows whoever follows her first neighbour in the list. */
export const follows: Record<string, string[]> = {
  'lucia.ferrer': ['marisol.barro', 'paloma.r', 'helenaprado', 'valeossa', 'nuria.b', 'wanjiru'],
  'marisol.barro': ['lucia.ferrer', 'tere.ibanez', 'paloma.r'],
  'sofia.arce': ['nuria.b', 'helenaprado', 'lucia.ferrer'],
  wanjiru: ['yuki.t', 'lucia.ferrer', 'inesrobledo'],
  helenaprado: ['lucia.ferrer', 'valeossa'],
  'yuki.t': ['wanjiru', 'rosamaria', 'lucia.ferrer'],
  'paloma.r': ['lucia.ferrer', 'marisol.barro', 'valeossa'],
  'nuria.b': ['rosamaria', 'sofia.arce', 'tere.ibanez'],
  valeossa: ['paloma.r', 'helenaprado', 'lucia.ferrer'],
  rosamaria: ['nuria.b', 'tere.ibanez'],
  inesrobledo: ['wanjiru', 'helenaprado'],
  'tere.ibanez': ['rosamaria', 'marisol.barro', 'lucia.ferrer'],
}

export type Circle = {
  name: string
  description: string
  picture: string
  admin: string
  members: string[]
  /** They have asked and wait. */
  waiting: string[]
}

export const groups: Circle[] = [
  {
    name: 'Club de Cerámica',
    description: 'Torno, esmaltes y hornos caprichosos. Aquí se enseñan también las piezas rotas.',
    picture: 'arches',
    admin: 'marisol.barro',
    members: ['lucia.ferrer', 'tere.ibanez', 'sofia.arce', 'nuria.b', 'wanjiru'],
    waiting: ['valeossa'],
  },
  {
    name: 'Lectoras de Domingo',
    description: 'Un libro al mes y una llamada larga. Leemos a autoras vivas, discutimos sin prisa.',
    picture: 'books',
    admin: 'rosamaria',
    members: ['yuki.t', 'lucia.ferrer', 'tere.ibanez'],
    waiting: ['paloma.r', 'inesrobledo'],
  },
  {
    name: 'Senderistas del Norte',
    description: 'Rutas de fin de semana por Asturias y Cantabria. El ritmo lo pone la última.',
    picture: 'forest',
    admin: 'inesrobledo',
    members: ['wanjiru', 'helenaprado', 'lucia.ferrer'],
    waiting: [],
  },
  {
    name: 'Huerto Compartido',
    description: '',
    picture: 'oranges',
    admin: 'nuria.b',
    members: ['rosamaria'],
    waiting: ['lucia.ferrer'],
  },
]

/** Two usernames, and what they wrote, oldest first: the index says who of the two. */
export type Talk = { between: [string, string]; lines: [0 | 1, string][] }

export const talks: Talk[] = [
  {
    between: ['lucia.ferrer', 'marisol.barro'],
    lines: [
      [0, '¿La blanca de la foto está vendida?'],
      [1, 'Esa se queda en casa, pero tengo una hermana suya secándose.'],
      [0, 'Pues la hermana me la pido.'],
      [1, 'Hecho. Te la guardo hasta enero 🏺'],
    ],
  },
  {
    between: ['lucia.ferrer', 'paloma.r'],
    lines: [
      [1, '¿Sábado en Mojácar? Me falta la puerta 215.'],
      [0, 'Llego el viernes por la noche.'],
      [1, 'Llevo yo el termo.'],
    ],
  },
  {
    between: ['yuki.t', 'wanjiru'],
    lines: [
      [0, 'I finished the book. I need to talk to somebody.'],
      [1, 'Page 312?'],
      [0, 'Page 312.'],
    ],
  },
]
