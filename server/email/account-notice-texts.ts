/** Notices about new ways to sign in and about attempts. */
import type { EmailCopy } from './message-text-types.ts'

export const accountNoticeTexts = {
  'phone-added': {
    kind: 'phone-added',
    subject: 'Un teléfono nuevo en tu cuenta · A new phone in your account',
    parts: [
      {
        lang: 'es',
        before: 'Se añadió un teléfono a tu cuenta de {community}, con tu contraseña:',
        button: 'Ir a {community}',
        after:
          'Si no fuiste tú, elige una contraseña nueva: eso quita el teléfono y cierra las demás sesiones.',
      },
      {
        lang: 'en',
        before: 'A phone was added to your {community} account, with your password:',
        button: 'Go to {community}',
        after:
          'If it was not you, choose a new password: that removes the phone and ends all other sessions.',
      },
    ],
  },
  'identity-added': {
    kind: 'identity-added',
    subject: 'Otra forma de entrar en tu cuenta · A new way to sign in to your account',
    parts: [
      {
        lang: 'es',
        before: 'Ahora también puedes entrar en tu cuenta de {community} con una cuenta de otro proveedor:',
        button: 'Ir a {community}',
        after: 'Si no fuiste tú, elige una contraseña nueva: eso lo quita y cierra las demás sesiones.',
      },
      {
        lang: 'en',
        before: 'You can now also sign in to your {community} account with an account at another provider:',
        button: 'Go to {community}',
        after: 'If it was not you, choose a new password: that removes it and ends all other sessions.',
      },
    ],
  },
  'account-reopened': {
    kind: 'account-reopened',
    subject: 'Tu cuenta está abierta otra vez · Your account is open again',
    parts: [
      {
        lang: 'es',
        before: 'Alguien entró en tu cuenta de {community}, y con eso se volvió a abrir:',
        button: 'Ir a {community}',
        after: 'Si no fuiste tú, elige una contraseña nueva: eso cierra las demás sesiones.',
      },
      {
        lang: 'en',
        before: 'Someone signed in to your {community} account, which opened it again:',
        button: 'Go to {community}',
        after: 'If it was not you, choose a new password: that ends all other sessions.',
      },
    ],
  },
  'two-steps-on': {
    kind: 'two-steps-on',
    subject: 'La verificación en dos pasos está activada · Two-step verification is on',
    parts: [
      {
        lang: 'es',
        before: 'Desde ahora tu cuenta de {community} pide también un código de una aplicación:',
        button: 'Ir a {community}',
        after: 'Si no fuiste tú, escribe ahora a quien opera este lugar: puede devolverte tu cuenta.',
      },
      {
        lang: 'en',
        before: 'Your {community} account now also asks for a code from an app:',
        button: 'Go to {community}',
        after: 'If it was not you, write to the operator now: they can give your account back to you.',
      },
    ],
  },
  'two-steps-off': {
    kind: 'two-steps-off',
    subject: 'La verificación en dos pasos se quitó · Two-step verification is off',
    parts: [
      {
        lang: 'es',
        before: 'La verificación en dos pasos se quitó. Tu cuenta de {community} ya no pide un código:',
        button: 'Ir a {community}',
        after: 'Si no fuiste tú, elige una contraseña nueva: eso cierra las demás sesiones.',
      },
      {
        lang: 'en',
        before: 'Two-step verification was turned off. Your {community} account no longer asks for a code:',
        button: 'Go to {community}',
        after: 'If it was not you, choose a new password: that ends all other sessions.',
      },
    ],
  },
  'new-device': {
    kind: 'new-device',
    subject: 'Un dispositivo nuevo en tu cuenta · A new device in your account',
    parts: [
      {
        lang: 'es',
        before:
          'Alguien entró en tu cuenta de {community} con un navegador que no conocíamos: {device}. ¿Fuiste tú? Si no, ciérrale la sesión y elige otra contraseña:',
        button: 'Ver mis dispositivos',
        after: 'Si fuiste tú, no hagas nada.',
      },
      {
        lang: 'en',
        before:
          'Someone signed in to your {community} account with a browser we did not know: {device}. Was it you? If not, end its session and choose another password:',
        button: 'See my devices',
        after: 'If it was you, do nothing.',
      },
    ],
  },
  'password-known': {
    kind: 'password-known',
    subject: 'Alguien sabe tu contraseña · Someone knows your password',
    parts: [
      {
        lang: 'es',
        before:
          'Alguien sabe tu contraseña. La escribió bien en un navegador que no conocemos, pero no el segundo paso, así que no pudo entrar. Si no fuiste tú, elige otra contraseña:',
        button: 'Ir a {community}',
        after: 'Si fuiste tú, no hagas nada.',
      },
      {
        lang: 'en',
        before:
          'Someone knows your password. They entered it correctly in a browser we do not know, but not the second step, so they could not sign in. If it was not you, choose another password:',
        button: 'Go to {community}',
        after: 'If it was you, do nothing.',
      },
    ],
  },
  'passkey-added': {
    kind: 'passkey-added',
    subject: 'Una llave de acceso nueva · A new passkey',
    parts: [
      {
        lang: 'es',
        before: 'Desde ahora una llave de acceso nueva abre tu cuenta de {community}, sin contraseña:',
        button: 'Ir a {community}',
        after: 'Si no fuiste tú, elige una contraseña nueva: eso la quita y cierra las demás sesiones.',
      },
      {
        lang: 'en',
        before: 'A new passkey can now open your {community} account, without a password:',
        button: 'Go to {community}',
        after: 'If it was not you, choose a new password: that removes it and ends all other sessions.',
      },
    ],
  },
  'passkey-removed': {
    kind: 'passkey-removed',
    subject: 'Una llave de acceso menos · One passkey fewer',
    parts: [
      {
        lang: 'es',
        before: 'Una llave de acceso de tu cuenta de {community} se quitó y ya no la abre:',
        button: 'Ir a {community}',
        after: 'Si no fuiste tú, elige una contraseña nueva: eso cierra las demás sesiones.',
      },
      {
        lang: 'en',
        before: 'A passkey was removed from your {community} account and no longer opens it:',
        button: 'Go to {community}',
        after: 'If it was not you, choose a new password: that ends all other sessions.',
      },
    ],
  },
  'passkey-refused': {
    kind: 'passkey-refused',
    subject: 'Puede haber una copia de tu llave · There may be a copy of your passkey',
    parts: [
      {
        lang: 'es',
        before:
          'Rechazamos una llave de acceso de tu cuenta de {community}: su contador retrocedió, así que alguien puede tener una copia. Quítala y añade otra:',
        button: 'Ir a {community}',
        after: 'Quien la usó no pudo entrar.',
      },
      {
        lang: 'en',
        before:
          'We refused a passkey of your {community} account: its counter went back, which means that someone may have copied it. Remove it and add another:',
        button: 'Go to {community}',
        after: 'The person who used it could not sign in.',
      },
    ],
  },
  'password-removed': {
    kind: 'password-removed',
    subject: 'Tu cuenta ya no tiene contraseña · Your account no longer has a password',
    parts: [
      {
        lang: 'es',
        before:
          'La contraseña de tu cuenta de {community} se quitó. Desde ahora entras con tus llaves de acceso:',
        button: 'Ir a {community}',
        after:
          'Si no fuiste tú, pide un enlace para elegir una contraseña nueva: eso cierra las demás sesiones.',
      },
      {
        lang: 'en',
        before:
          'The password of your {community} account was removed. From now on you sign in with your passkeys:',
        button: 'Go to {community}',
        after: 'If it was not you, ask for a link to choose a new password: that ends all other sessions.',
      },
    ],
  },
} as const satisfies Record<string, EmailCopy>
