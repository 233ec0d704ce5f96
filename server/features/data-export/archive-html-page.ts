/** The page is yielded in chunks, because it contains everything the member has ever written. */
import { hasPlace } from '#contract/posts/no-place.ts'
import { escapeHtml } from '../../http/escape-html.ts'

type Item = Record<string, unknown>
type Person = { name: string; username: string } | null

export type ArchivePageData = {
  list(document: string, name: string): AsyncIterable<{ key: number; item: Item }>
  messages(conversation: number): AsyncIterable<{ key: number; item: Item }>
}

export const archiveHtmlPageName = 'LEEME.html'

const contentPolicy =
  "default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

const style = `
:root{color-scheme:light dark;--paper:#fff;--ground:#faf7fa;--ink:#201a24;--soft:#5f5563;--line:#e4dce4;--brand:#b0184f;--mine:#fbe8ef}
@media(prefers-color-scheme:dark){:root{--paper:#221c26;--ground:#171219;--ink:#f4eef4;--soft:#c2b6c4;--line:#3d3440;--brand:#ff8fb3;--mine:#43202f}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
header,main,footer{max-width:760px;margin:0 auto;padding:20px 16px}
h1{margin:0;font-size:28px;line-height:1.2}
h2{margin:40px 0 12px;font-size:22px}
h3{margin:0 0 8px;font-size:17px}
a{color:var(--brand)}
p{margin:0 0 8px}
nav ul{display:flex;flex-wrap:wrap;gap:4px 16px;margin:16px 0 0;padding:0;list-style:none}
nav a{display:inline-block;padding:6px 0}
.soft{color:var(--soft);font-size:14px}
.words{white-space:pre-wrap;overflow-wrap:anywhere}
article,details{margin:0 0 16px;padding:16px;background:var(--paper);border:1px solid var(--line);border-radius:16px}
summary{min-height:28px;font-weight:650;cursor:pointer}
img{display:block;max-width:100%;height:auto;max-height:520px;margin:0 0 12px;border-radius:12px;background:var(--line)}
.list{margin:0;padding:0;list-style:none}
.list>li{padding:8px 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
.talk{margin:12px 0 0;padding:0;list-style:none}
.talk>li{max-width:85%;margin:0 0 8px;padding:8px 12px;border:1px solid var(--line);border-radius:14px}
.talk>li.mine{margin-left:auto;background:var(--mine)}
`

const html = (strings: TemplateStringsArray, ...values: unknown[]): string =>
  strings.reduce((text, part, at) => `${text}${escapeHtml(String(values[at - 1] ?? ''))}${part}`)

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function day(value: unknown): string {
  const at = new Date(text(value))
  return Number.isNaN(at.getTime())
    ? ''
    : new Intl.DateTimeFormat('es', { dateStyle: 'long', timeZone: 'UTC' }).format(at)
}

function moment(value: unknown): string {
  const at = new Date(text(value))
  return Number.isNaN(at.getTime())
    ? ''
    : new Intl.DateTimeFormat('es', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(at)
}

/** A hidden person has no name. */
const nameOf = (person: unknown): string => {
  const who = person as Person
  return who ? `${who.name} (@${who.username})` : 'Alguien'
}

const authorOf = (post: unknown): string => {
  const { by } = (post ?? {}) as { by?: Person }
  return by ? `Publicación de ${nameOf(by)}` : 'Tu publicación'
}

const picture = (file: unknown, alt: string): string =>
  text(file) === '' ? '' : html`<a href="${file}"><img src="${file}" alt="${alt}" loading="lazy"></a>`

const roles: Record<string, string> = { admin: 'lo administras', member: 'eres miembro' }

const sections = [
  ['publicaciones', 'Publicaciones'],
  ['me-gusta', 'Me gusta'],
  ['guardadas', 'Guardadas'],
  ['comentarios', 'Comentarios'],
  ['sigues', 'Sigues'],
  ['te-siguen', 'Te siguen'],
  ['grupos', 'Grupos'],
  ['conversaciones', 'Conversaciones'],
] as const

async function* listSection(
  at: number,
  rows: AsyncIterable<{ item: Item }>,
  line: (item: Item) => string,
): AsyncGenerator<string> {
  const [id, title] = sections[at] as (typeof sections)[number]
  yield html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>`
  let isEmpty = true
  for await (const { item } of rows) {
    if (isEmpty) yield '<ul class="list">'
    isEmpty = false
    yield `<li>${line(item)}</li>\n`
  }
  yield isEmpty ? '<p class="soft">Nada.</p></section>\n' : '</ul></section>\n'
}

function profileTexts(member: Item): unknown[] {
  const elsewhere = ['name', 'username', 'photo', 'memberSince', 'email', 'emailConfirmed', 'phone']
  return Object.entries(member).flatMap(([field, text]) => (elsewhere.includes(field) ? [] : [text]))
}

export async function* renderArchiveHtmlPage(
  copy: ArchivePageData,
  { madeAt, communityName }: { madeAt: Date; communityName: string },
): AsyncGenerator<string> {
  let member: Item = {}
  for await (const { item } of copy.list('profile', 'profile')) member = item
  yield `<!doctype html><html lang="es"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${contentPolicy}"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer"><title>Tu copia de ${escapeHtml(communityName)}</title><style>${style}</style></head><body>\n`
  yield html`<header><h1>${member.name}</h1><p class="soft">@${member.username} · en ${communityName} desde el ${day(member.memberSince)} · copia del ${day(madeAt.toISOString())}</p>`
  yield picture(member.photo, 'Tu foto de perfil')
  for (const words of profileTexts(member)) yield html`<p class="words">${words}</p>`
  yield '<nav aria-label="Contenido"><ul>'
  for (const [id, title] of sections) yield html`<li><a href="#${id}">${title}</a></li>`
  yield '</ul></nav></header>\n<main>'
  yield* renderPosts(copy)
  yield* listSection(
    1,
    copy.list('likes', 'posts'),
    ({ post, at }) => html`${authorOf(post)} <span class="soft">${day(at)}</span>`,
  )
  yield* listSection(
    2,
    copy.list('saves', 'posts'),
    ({ post, at }) => html`${authorOf(post)} <span class="soft">${day(at)}</span>`,
  )
  yield* listSection(
    3,
    copy.list('comments', 'written'),
    ({ content, post, at }) =>
      html`<span class="words">${content}</span> <span class="soft">${authorOf(post)}, ${day(at)}</span>`,
  )
  const followed = ({ person, since }: Item) =>
    html`${nameOf(person)} <span class="soft">desde el ${day(since)}</span>`
  yield* listSection(4, copy.list('follows', 'following'), followed)
  yield* listSection(5, copy.list('follows', 'followers'), followed)
  yield* listSection(
    6,
    copy.list('groups', 'groups'),
    ({ name, role, since }) =>
      html`${name} <span class="soft">${roles[text(role)]} desde el ${day(since)}</span>`,
  )
  yield* renderConversations(copy)
  yield '</main><footer class="soft"><p>Lo mismo, y lo demás, está como datos en la carpeta <code>data</code>. Las horas son UTC. Guarda esta copia donde solo tú la veas.</p></footer></body></html>\n'
}

async function* renderPosts(copy: ArchivePageData): AsyncGenerator<string> {
  yield '<section aria-labelledby="publicaciones"><h2 id="publicaciones">Publicaciones</h2>'
  let isEmpty = true
  for await (const { item } of copy.list('posts', 'posts')) {
    isEmpty = false
    const photos = (item.photos ?? []) as { file: string | null; alt: string }[]
    const where = [
      day(item.createdAt),
      hasPlace(text(item.location)) ? text(item.location) : '',
      item.group ? `en ${text(item.group)}` : '',
    ].filter(Boolean)
    yield html`<article><h3>${where.join(' · ')}</h3>`
    for (const { file, alt } of photos) yield picture(file, alt || `Foto del ${day(item.createdAt)}`)
    yield html`<p class="words">${item.caption}</p>`
    const tags = ((item.tags ?? []) as string[]).map((tag) => `#${tag}`).join(' ')
    yield html`<p class="soft">${[tags, `${item.likes} me gusta`, `${item.comments} comentarios`].filter(Boolean).join(' · ')}</p></article>\n`
  }
  yield isEmpty ? '<p class="soft">Nada.</p></section>\n' : '</section>\n'
}

async function* renderConversations(copy: ArchivePageData): AsyncGenerator<string> {
  yield '<section aria-labelledby="conversaciones"><h2 id="conversaciones">Conversaciones</h2>'
  let isEmpty = true
  for await (const { key, item } of copy.list('conversations', 'conversations')) {
    isEmpty = false
    yield html`<details><summary>${nameOf(item.with)}</summary><ul class="talk">`
    for await (const { item: message } of copy.messages(key)) {
      const words = message.unsent ? 'Mensaje retirado' : text(message.content)
      yield `<li${message.mine ? ' class="mine"' : ''}>`
      for (const { file, alt } of (message.photos ?? []) as { file: string | null; alt: string }[])
        yield file === null ? '<p class="soft">Foto</p>' : picture(file, alt || 'Foto del mensaje')
      yield html`<span class="words">${words}</span><br><span class="soft">${message.mine ? 'Tú' : nameOf(item.with)}, ${moment(message.at)}</span></li>\n`
    }
    yield '</ul></details>\n'
  }
  yield isEmpty ? '<p class="soft">Nada.</p></section>\n' : '</section>\n'
}
