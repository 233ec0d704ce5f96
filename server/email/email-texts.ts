/**
 * Email texts in Spanish and English. They contain no member text: a stranger's address could otherwise be
 * sent a message through a name.
 */
import type { EmailCopy } from './message-text-types.ts'

/** Link emails, except those in account-notice-texts.ts. */
export const linkEmailTexts = {
  recovery: {
    kind: 'recovery',
    subject: 'Elige una contraseña nueva · Choose a new password',
    parts: [
      {
        lang: 'es',
        before:
          'Alguien pidió cambiar la contraseña de tu cuenta de Juntas. Si fuiste tú, elige una nueva aquí:',
        button: 'Elegir contraseña',
        after:
          'El enlace vale una hora y una sola vez. Si no fuiste tú, no hagas nada: tu contraseña sigue igual.',
      },
      {
        lang: 'en',
        before:
          'Someone asked to change the password of your Juntas account. If it was you, choose a new one here:',
        button: 'Choose password',
        after:
          'The link works for one hour and only once. If it was not you, do nothing: your password stays the same.',
      },
    ],
  },
  verification: {
    kind: 'verification',
    subject: 'Confirma tu correo · Confirm your email',
    parts: [
      {
        lang: 'es',
        before: 'Confirma que este correo es tuyo:',
        button: 'Confirmar mi correo',
        after: 'El enlace vale una hora. Si no tienes una cuenta en Juntas, ignora este mensaje.',
      },
      {
        lang: 'en',
        before: 'Confirm that this address is yours:',
        button: 'Confirm my email',
        after: 'The link works for one hour. If you have no account at Juntas, ignore this message.',
      },
    ],
  },
  'sign-up': {
    kind: 'sign-up',
    subject: 'Te damos la bienvenida: confirma tu correo · Welcome: confirm your email',
    parts: [
      {
        lang: 'es',
        before:
          'Ya tienes tu cuenta de Juntas. Confirma que este correo es tuyo: con él recuperas tu cuenta si olvidas la contraseña.',
        button: 'Confirmar mi correo',
        after:
          'El enlace vale una hora. Después puedes pedir otro en los ajustes de tu cuenta. Si no creaste una cuenta en Juntas, ignora este mensaje.',
      },
      {
        lang: 'en',
        before:
          'You have a Juntas account now. Confirm that this address is yours: it gets your account back if you forget your password.',
        button: 'Confirm my email',
        after:
          'The link works for one hour. After that you can ask for another in your account settings. If you did not create an account at Juntas, ignore this message.',
      },
    ],
  },
  'magic-url': {
    kind: 'magic-url',
    subject: 'Entra en Juntas · Sign in to Juntas',
    parts: [
      {
        lang: 'es',
        before: 'Entra en Juntas con este enlace:',
        button: 'Entrar',
        after: 'Vale una hora y una sola vez. No se lo pases a nadie. Si no lo pediste, ignora este mensaje.',
      },
      {
        lang: 'en',
        before: 'Sign in to Juntas with this link:',
        button: 'Sign in',
        after:
          'It works for one hour and only once. Do not pass it on. If you did not ask for it, ignore this message.',
      },
    ],
  },
  'email-change': {
    kind: 'email-change',
    subject: 'Confirma tu correo nuevo · Confirm your new email',
    parts: [
      {
        lang: 'es',
        before: 'Tu cuenta de Juntas quiere usar este correo. Confírmalo donde has entrado en ella:',
        button: 'Usar este correo',
        after:
          'El enlace vale una hora. Si no fuiste tú o no tienes una cuenta en Juntas, ignora este mensaje: nada cambia.',
      },
      {
        lang: 'en',
        before: 'Your Juntas account would like to use this address. Confirm it where you are signed in:',
        button: 'Use this address',
        after:
          'The link works for one hour. If it was not you, or you have no account at Juntas, ignore this message: nothing changes.',
      },
    ],
  },
  'email-taken': {
    kind: 'email-taken',
    subject: 'Ya tienes una cuenta · You already have an account',
    parts: [
      {
        lang: 'es',
        before:
          'Ya tienes una cuenta con este correo. Alguien quiso usarlo en otra cuenta de Juntas. Si fuiste tú, entra aquí:',
        button: 'Entrar',
        after: 'Si no fuiste tú, no hagas nada: nada cambia.',
      },
      {
        lang: 'en',
        before:
          'You already have an account with this address. Someone wanted to use it in another account of Juntas. If it was you, sign in here:',
        button: 'Sign in',
        after: 'If it was not you, do nothing: nothing changes.',
      },
    ],
  },
  'operator-recovery': {
    kind: 'operator-recovery',
    subject: 'Un enlace para tu cuenta · A link for your account',
    parts: [
      {
        lang: 'es',
        before:
          'Quien lleva este lugar hizo un enlace con el que se elige una contraseña nueva para tu cuenta de Juntas. Aquí ves qué ha pasado en ella:',
        button: 'Ver mi cuenta',
        after: 'Si no lo pediste, escribe a quien lleva este lugar. El enlace vale una hora y una sola vez.',
      },
      {
        lang: 'en',
        before:
          'Whoever runs this place made a link by which a new password is chosen for your Juntas account. Here you see what happened in it:',
        button: 'See my account',
        after:
          'If you did not ask for it, write to whoever runs this place. The link works for one hour and only once.',
      },
    ],
  },
  'unlock-asked': {
    kind: 'unlock-asked',
    subject: 'Tu segundo paso se quita el {day} · Your second step goes on {day}',
    parts: [
      {
        lang: 'es',
        before:
          'Alguien le dijo a quien lleva este lugar que perdió el segundo paso de tu cuenta de Juntas. El {day} se quita, con los códigos de recuperación, y tu contraseña sola la abre. Si no fuiste tú, páralo ya:',
        button: 'No quitarlo',
        after: 'Si fuiste tú, no hagas nada: espera tres días.',
      },
      {
        lang: 'en',
        before:
          'Somebody told whoever runs this place that the second step of your Juntas account is lost. On {day} it goes, with the recovery codes, and your password alone opens the account. If it was not you, stop it now:',
        button: 'Do not remove it',
        after: 'If it was you, do nothing: wait three days.',
      },
    ],
  },
  'deletion-asked': {
    kind: 'deletion-asked',
    subject: 'Tu cuenta de Juntas se borra el {day} · Your Juntas account is deleted on {day}',
    parts: [
      {
        lang: 'es',
        before:
          'Pediste borrar tu cuenta de Juntas. Desde ahora nadie te ve, y el {day} se borra para siempre. Hasta entonces puedes volver y encontrarlo todo como estaba:',
        button: 'No quiero borrarla',
        after:
          'Si no fuiste tú, pulsa el enlace y elige una contraseña nueva. Si quieres borrarla, no hagas nada.',
      },
      {
        lang: 'en',
        before:
          'You asked to delete your Juntas account. From now on nobody sees you, and on {day} it is erased for good. Until then you can come back and find all as it was:',
        button: 'I do not want to delete it',
        after:
          'If it was not you, open the link and choose a new password. If you want to delete it, do nothing.',
      },
    ],
  },
  'export-ready': {
    kind: 'export-ready',
    subject: 'Tu copia está lista · Your copy is ready',
    parts: [
      {
        lang: 'es',
        before: 'La copia de todo lo tuyo en Juntas está lista. Se descarga aquí, cuando hayas entrado:',
        button: 'Ir a tu copia',
        after: 'Está ahí siete días. Si no la pediste tú, entra, deséchala y cambia tu contraseña.',
      },
      {
        lang: 'en',
        before:
          'The copy of everything of yours in Juntas is ready. Download it here, once you are signed in:',
        button: 'Go to your copy',
        after:
          'It is there for seven days. If it was not you who asked, sign in, discard it and change your password.',
      },
    ],
  },
  'reports-waiting': {
    kind: 'reports-waiting',
    subject: 'Hay denuncias en espera · Reports are waiting',
    parts: [
      {
        lang: 'es',
        before: 'Hay denuncias que esperan desde hace más de una hora. Se ven aquí, cuando hayas entrado:',
        button: 'Ver las denuncias',
        after: 'Puedes dejar de recibir este correo en Ajustes → Novedades.',
      },
      {
        lang: 'en',
        before: 'Reports have been waiting for more than an hour. You see them here, once you are signed in:',
        button: 'See the reports',
        after: 'You can stop this email in Settings → Notifications.',
      },
    ],
  },
  'deletion-done': {
    kind: 'deletion-done',
    subject: 'El recibo de tu cuenta borrada · The receipt of your deleted account',
    parts: [
      {
        lang: 'es',
        before: 'Tu cuenta de Juntas se borra ahora. Cuando no quede nada, aquí está el recibo:',
        button: 'Ver el recibo',
        after: 'Guarda este enlace: es la última carta, y el recibo no dice quién eras.',
      },
      {
        lang: 'en',
        before: 'Your Juntas account is being erased now. When nothing is left, the receipt is here:',
        button: 'See the receipt',
        after: 'Keep this link: it is the last letter, and the receipt does not say who you were.',
      },
    ],
  },
  'email-undo': {
    kind: 'email-undo',
    subject: 'Tu correo en Juntas cambió · Your email at Juntas changed',
    parts: [
      {
        lang: 'es',
        before:
          'Tu cuenta de Juntas ya no usa este correo. Si fuiste tú, todo está bien. Si no, recupera tu cuenta aquí:',
        button: 'Recuperar mi cuenta',
        after:
          'El enlace vale siete días. Devuelve este correo a tu cuenta, cierra todas sus sesiones y te pide una contraseña nueva.',
      },
      {
        lang: 'en',
        before:
          'Your Juntas account no longer uses this address. If that was you, all is well. If not, take your account back here:',
        button: 'Take my account back',
        after:
          'The link works for seven days. It gives this address back to your account, ends all its sessions and asks you for a new password.',
      },
    ],
  },
} as const satisfies Record<string, EmailCopy>

export const codeEmailTexts: EmailCopy = {
  kind: 'code',
  subject: 'Tu código de Juntas · Your Juntas code',
  parts: [
    {
      lang: 'es',
      before: 'Tu código para entrar en Juntas es:',
      after: 'Vale quince minutos. No se lo digas a nadie. Si no lo pediste, ignora este mensaje.',
    },
    {
      lang: 'en',
      before: 'Your code to sign in to Juntas is:',
      after:
        'It works for fifteen minutes. Tell it to nobody. If you did not ask for it, ignore this message.',
    },
  ],
}
