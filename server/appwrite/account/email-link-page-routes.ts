/**
 * Serves the pages that emailed links open, for clients whose app has none. Only submitting a form uses the
 * secret, because mail scanners open links.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { type ErrorType, errorCatalogue } from '#contract/errors.ts'
import { maxTextLength } from '#contract/text-length.ts'
import type { AppContext } from '#server/app-context.ts'
import { toFailure } from '#server/errors.ts'
import { confirmEmailChange, undoEmailChange } from '#server/features/account/email-change.ts'
import { buildServerEmailLink } from '#server/features/account/email-link-urls.ts'
import { verifyEmail } from '#server/features/account/email-verification.ts'
import { signInWithOneTimeToken } from '#server/features/account/sign-in-by-link-or-code.ts'
import { logRefusal } from '#server/http/error-responses.ts'
import { type InputReader, noRouteInput, type RequestContext, registerRoute } from '#server/route.ts'
import { readTextParameter } from '../query-parameters.ts'
import {
  createQueryStringReader,
  parseAppwriteParameters,
  tokenSecretSchema,
  userIdSchema,
} from '../request-parameters.ts'
import { type EmailLinkPage, renderEmailLinkPage } from './email-link-page-html.ts'
import { passwordResetSchema, resetPasswordTypedTwice } from './recovery-routes.ts'
import { replyWithAppwriteSession } from './session-routes.ts'

type Landing = Pick<EmailLinkPage, 'title' | 'lead'> & {
  button: string
  fields?: NonNullable<EmailLinkPage['form']>['fields']
  submit(given: Record<string, unknown>, ctx: RequestContext): Promise<EmailLinkPage | { goTo: string }>
}

const linkParameters = z.object({ userId: userIdSchema, secret: tokenSecretSchema })
const ownedLinkParameters = z.object({
  userId: userIdSchema,
  secret: tokenSecretSchema,
  password: z.optional(z.string().check(maxTextLength(256))),
})
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
    title: 'Entra en {community}',
    lead: 'Pulsa el botón y ya estás dentro.',
    button: 'Entrar',
    async submit(given, ctx) {
      const created = await signInWithOneTimeToken(ctx, parseAppwriteParameters(linkParameters, given), [
        'magic-url',
      ])
      await replyWithAppwriteSession(ctx, created)
      return { goTo: '/' }
    },
  },
  verification: {
    title: 'Confirma tu correo',
    lead: 'Así sabemos que este correo es tuyo.',
    button: 'Confirmar mi correo',
    async submit(given, ctx) {
      const { recovery } = await verifyEmail(ctx, parseAppwriteParameters(linkParameters, given))
      if (recovery !== null) return pageOf('recovery', recovery)
      return {
        title: 'Correo confirmado',
        lead: 'Gracias. Ya puedes seguir en {community}.',
        link: { href: '/', text: 'Ir a {community}' },
      }
    },
  },
  recovery: {
    title: 'Elige una contraseña nueva',
    lead: 'Al guardarla se cierran todas las sesiones de tu cuenta.',
    button: 'Guardar contraseña',
    fields: twoFields,
    async submit(given, ctx) {
      await resetPasswordTypedTwice(ctx, parseAppwriteParameters(passwordResetSchema, given))
      return {
        title: 'Contraseña guardada',
        lead: 'Ya puedes entrar con ella.',
        link: { href: '/sign-in', text: 'Entrar' },
      }
    },
  },
  'email-change': {
    title: 'Confirma tu correo nuevo',
    lead: 'Tu cuenta usará este correo. Si aquí no has entrado en ella, escribe también su contraseña.',
    button: 'Usar este correo',
    fields: [
      {
        name: 'password',
        label: 'Contraseña de la cuenta',
        type: 'password',
        autocomplete: 'current-password',
        optional: true,
      },
    ],
    async submit(given, ctx) {
      await confirmEmailChange(ctx, parseAppwriteParameters(ownedLinkParameters, given), buildServerEmailLink)
      return {
        title: 'Correo cambiado',
        lead: 'Desde ahora entras en {community} con este correo.',
        link: { href: '/', text: 'Ir a {community}' },
      }
    },
  },
  'email-undo': {
    title: 'Recupera tu cuenta',
    lead: 'Devolvemos este correo a tu cuenta, cerramos todas sus sesiones y eliges una contraseña nueva.',
    button: 'Recuperar mi cuenta',
    async submit(given, ctx) {
      const recovery = await undoEmailChange(ctx, parseAppwriteParameters(linkParameters, given))
      return pageOf('recovery', recovery)
    },
  },
}

function pageOf(kind: string, hidden: { userId: string; secret: string }, problem?: string): EmailLinkPage {
  const { title, lead, button, fields } = landings[kind] as Landing
  return { title, lead, problem, form: { action: `/v1/auth/${kind}`, hidden, fields, button } }
}

const { resolve } = createRequire(import.meta.url)
const fontsOf = (family: string) =>
  resolve(`@fontsource-variable/${family}/files/${family}-latin-wght-normal.woff2`)

/** The content security policy allows only these styles. */
const looks = [
  {
    name: 'email-link-pages.css',
    type: 'text/css; charset=utf-8',
    file: join(import.meta.dirname, 'email-link-pages.css'),
  },
  { name: 'figtree.woff2', type: 'font/woff2', file: fontsOf('figtree') },
  { name: 'bricolage-grotesque.woff2', type: 'font/woff2', file: fontsOf('bricolage-grotesque') },
]

/** Bytes that suffice for an id, a secret and two passwords. */
const formLimit = 8192

const fromLink = createQueryStringReader((query) => ({
  userId: readTextParameter(query, 'userId') ?? '',
  secret: readTextParameter(query, 'secret') ?? '',
}))
const fromForm: InputReader<Record<string, unknown>> = {
  from: 'parameters',
  read: ({ body }) => (body ?? {}) as Record<string, unknown>,
}

export function registerAppwriteEmailLinkPageRoutes(app: FastifyInstance, context: AppContext): void {
  for (const { name, type, file } of looks) {
    const bytes = readFileSync(file)
    const url = `/v1/auth/${name}`
    const definition = {
      method: 'GET',
      url,
      who: 'visitor',
      limit: [],
      cache: 'as it says',
      input: noRouteInput,
    } as const
    registerRoute(app, context, definition, async (_input, { reply }) =>
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
      const url = `/v1/auth/${kind}`
      registerRoute(
        pages,
        context,
        { method: 'GET', url, who: 'visitor', limit: [], input: fromLink },
        (link, ctx) => show(ctx, pageOf(kind, link)),
      )
      const form = { method: 'POST', url, who: 'visitor', limit: ['sign-in'], input: fromForm } as const
      registerRoute(pages, context, form, async (given, ctx) => {
        const { request, reply, limits } = ctx
        try {
          await limits.consume(request, reply, 'sign-in')
          const next = await landing.submit(given, ctx)
          return 'goTo' in next ? reply.redirect(next.goTo, 303) : await show(ctx, next)
        } catch (error) {
          const failure = toFailure(error)
          if (!failure || failure.status >= 500) throw error
          logRefusal(failure, error, request)
          const kept = { userId: String(given.userId ?? ''), secret: String(given.secret ?? '') }
          reply.status(failure.status)
          return show(ctx, pageOf(kind, kept, problemOf(failure.type, failure.field)))
        }
      })
    }
  })
}

const problems: Partial<Record<ErrorType, string>> = {
  user_invalid_token: 'Este enlace ya no vale. Pide otro.',
  user_not_found: 'Este enlace ya no vale. Pide otro.',
  user_invalid_credentials:
    'La contraseña no es la de la cuenta. Si no tienes una en {community}, ignora el mensaje.',
  user_blocked: 'Esta cuenta está cerrada.',
  user_password_mismatch: 'Las dos contraseñas no son iguales.',
  password_too_common: errorCatalogue.password_too_common[1],
  password_personal_data: errorCatalogue.password_personal_data[1],
  user_already_exists: 'Este correo es ahora de otra cuenta.',
  general_rate_limit_exceeded: 'Demasiados intentos. Espera un rato y vuelve a probar.',
}

const problemOf = (type: ErrorType, field: string | undefined) =>
  field === 'password' && type === 'general_argument_invalid'
    ? 'La contraseña debe tener entre 8 y 256 caracteres.'
    : (problems[type] ?? 'Este enlace no está completo. Ábrelo otra vez desde el mensaje.')

const show = async ({ reply, identity }: RequestContext, page: EmailLinkPage) =>
  reply
    .headers({
      // With `no-referrer`, browsers send no origin with the form, and the server would refuse it.
      'referrer-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(renderEmailLinkPage(page, await identity.read()))
