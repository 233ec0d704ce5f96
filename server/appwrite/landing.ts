/**
 * The pages behind our letters, for when no app of the asker's serves them (reading D-10). Opening one changes nothing,
 * because mail scanners open links: the secret is spent by the form on it.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { type ErrorType, errors } from '#contract/errors.ts'
import { asFailure } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { forAnybody, type RouteClasses } from '../route-classes.ts'
import { parametersOf, secret, userId } from './account-calls.ts'
import { newPassword, recover, undoEmailChange } from './account-recovery.ts'
import { handOver } from './account-sessions.ts'
import { signInByProof } from './account-tokens.ts'
import { verifyEmail } from './account-verification.ts'
import { type Page, pageHtml } from './landing-page.ts'
import { type Query, textOf } from './parameters.ts'

type Asking = Parts & { request: FastifyRequest; reply: FastifyReply }

type Landing = Pick<Page, 'title' | 'lead'> & {
  button: string
  fields?: NonNullable<Page['form']>['fields']
  /** Spends the secret. @returns the page that says so, or where to go */
  submit(given: Record<string, unknown>, asking: Asking): Promise<Page | { goTo: string }>
}

const proof = z.object({ userId, secret })
const twoFields = [
  {
    name: 'password',
    label: 'Contraseña nueva',
    type: 'password',
    autocomplete: 'new-password',
    hint: 'Al menos 8 caracteres.',
  },
  { name: 'passwordAgain', label: 'Otra vez', type: 'password', autocomplete: 'new-password' },
] as const

const landings: Record<string, Landing> = {
  'magic-url': {
    title: 'Entra en Juntas',
    lead: 'Pulsa el botón y ya estás dentro.',
    button: 'Entrar',
    async submit(given, asking) {
      const begun = await signInByProof(asking, parametersOf(proof, given), ['magic-url'])
      handOver(asking, begun)
      return { goTo: '/' }
    },
  },
  verification: {
    title: 'Confirma tu correo',
    lead: 'Así sabemos que este correo es tuyo.',
    button: 'Confirmar mi correo',
    async submit(given, asking) {
      await verifyEmail(asking, parametersOf(proof, given))
      return {
        title: 'Correo confirmado',
        lead: 'Gracias. Ya puedes seguir en Juntas.',
        link: { href: '/', text: 'Ir a Juntas' },
      }
    },
  },
  recovery: {
    title: 'Elige una contraseña nueva',
    lead: 'Al guardarla se cierran todas las sesiones de tu cuenta.',
    button: 'Guardar contraseña',
    fields: twoFields,
    async submit(given, asking) {
      await recover(asking, parametersOf(newPassword, given))
      return {
        title: 'Contraseña guardada',
        lead: 'Ya puedes entrar con ella.',
        link: { href: '/sign-in', text: 'Entrar' },
      }
    },
  },
  'email-undo': {
    title: 'Recupera tu cuenta',
    lead: 'Devolvemos este correo a tu cuenta, cerramos todas sus sesiones y eliges una contraseña nueva.',
    button: 'Recuperar mi cuenta',
    async submit(given, asking) {
      const recovery = await undoEmailChange(asking, parametersOf(proof, given))
      return pageOf('recovery', recovery)
    },
  },
}

function pageOf(kind: string, hidden: { userId: string; secret: string }, problem?: string): Page {
  const { title, lead, button, fields } = landings[kind] as Landing
  return { title, lead, problem, form: { action: `/v1/auth/${kind}`, hidden, fields, button } }
}

const { resolve } = createRequire(import.meta.url)
const fontsOf = (family: string) =>
  resolve(`@fontsource-variable/${family}/files/${family}-latin-wght-normal.woff2`)

/** What the pages look like: the policy of the site lets them load it from here alone. */
const looks = [
  {
    name: 'landing.css',
    type: 'text/css; charset=utf-8',
    file: join(import.meta.dirname, 'landing.css'),
  },
  { name: 'figtree.woff2', type: 'font/woff2', file: fontsOf('figtree') },
  { name: 'bricolage-grotesque.woff2', type: 'font/woff2', file: fontsOf('bricolage-grotesque') },
]

type OfLink = { Querystring: Query }

const ofLinks: RouteClasses = { ...forAnybody, input: 'parameters' }

/** Bytes: a form holds an id, a secret and two passwords. */
const formLimit = 8192

export function landingPages(app: FastifyInstance, parts: Parts): void {
  for (const { name, type, file } of looks) {
    const bytes = readFileSync(file)
    app.get(`/v1/auth/${name}`, { config: { ...forAnybody, cache: 'as it says' } }, async (_request, reply) =>
      reply.type(type).header('cache-control', 'public, max-age=3600').send(bytes),
    )
  }

  app.register(async (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formLimit },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
    )
    for (const [kind, landing] of Object.entries(landings)) {
      pages.get<OfLink>(`/v1/auth/${kind}`, { config: ofLinks }, async ({ query }, reply) =>
        show(
          reply,
          pageOf(kind, { userId: textOf(query, 'userId') ?? '', secret: textOf(query, 'secret') ?? '' }),
        ),
      )
      pages.post(
        `/v1/auth/${kind}`,
        { config: { ...ofLinks, limit: ['sign-in'] } },
        async (request, reply) => {
          const given = (request.body ?? {}) as Record<string, unknown>
          try {
            await parts.limits.count(request, reply, 'sign-in')
            const next = await landing.submit(given, { ...parts, request, reply })
            return 'goTo' in next ? reply.redirect(next.goTo, 303) : show(reply, next)
          } catch (error) {
            const failure = asFailure(error)
            if (!failure || failure.status >= 500) throw error
            const kept = { userId: String(given.userId ?? ''), secret: String(given.secret ?? '') }
            reply.status(failure.status)
            return show(reply, pageOf(kind, kept, problemOf(failure.type, failure.field)))
          }
        },
      )
    }
  })
}

const problems: Partial<Record<ErrorType, string>> = {
  user_invalid_token: 'Este enlace ya no vale. Pide otro.',
  user_not_found: 'Este enlace ya no vale. Pide otro.',
  user_blocked: 'Esta cuenta está cerrada.',
  user_password_mismatch: 'Las dos contraseñas no son iguales.',
  password_too_common: errors.password_too_common[1],
  password_personal_data: errors.password_personal_data[1],
  user_already_exists: 'Este correo es ahora de otra cuenta.',
  general_rate_limit_exceeded: 'Demasiados intentos. Espera un rato y vuelve a probar.',
}

const problemOf = (type: ErrorType, field: string | undefined) =>
  field === 'password' && type === 'general_argument_invalid'
    ? 'La contraseña debe tener entre 8 y 256 caracteres.'
    : (problems[type] ?? 'Este enlace no está completo. Ábrelo otra vez desde el mensaje.')

const show = (reply: FastifyReply, page: Page) =>
  reply
    .headers({
      // With the site's `no-referrer` a browser names no origin with a form, and the form would be refused.
      'referrer-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(pageHtml(page))
