/** The texts contain nothing from members, who could otherwise write to a stranger's address. */
import type { EmailCopy } from './message-text-types.ts'

export const linkEmailTexts = {
  recovery: {
    kind: 'recovery',
    subject: 'Elige una contraseña nueva · Choose a new password',
    parts: [
      {
        lang: 'es',
        before:
          'Alguien pidió cambiar la contraseña de tu cuenta de {community}. Si fuiste tú, elige una nueva aquí:',
        button: 'Elegir contraseña',
        after:
          'El enlace vale una hora y una sola vez. Si no fuiste tú, no hagas nada: tu contraseña sigue igual.',
      },
      {
        lang: 'en',
        before:
          'Someone asked to change the password of your {community} account. If it was you, choose a new one here:',
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
        after: 'El enlace vale una hora. Si no tienes una cuenta en {community}, ignora este mensaje.',
      },
      {
        lang: 'en',
        before: 'Confirm that this address is yours:',
        button: 'Confirm my email',
        after: 'The link works for one hour. If you have no account at {community}, ignore this message.',
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
          'Ya tienes tu cuenta de {community}. Confirma que este correo es tuyo: con él recuperas tu cuenta si olvidas la contraseña.',
        button: 'Confirmar mi correo',
        after:
          'El enlace vale una hora. Después puedes pedir otro en los ajustes de tu cuenta. Si no creaste una cuenta en {community}, ignora este mensaje.',
      },
      {
        lang: 'en',
        before:
          'You have a {community} account now. Confirm that this address is yours, so that you can get your account back if you forget your password.',
        button: 'Confirm my email',
        after:
          'The link works for one hour. After that you can ask for another in your account settings. If you did not create an account at {community}, ignore this message.',
      },
    ],
  },
  'magic-url': {
    kind: 'magic-url',
    subject: 'Entra en {community} · Sign in to {community}',
    parts: [
      {
        lang: 'es',
        before: 'Entra en {community} con este enlace:',
        button: 'Entrar',
        after: 'Vale una hora y una sola vez. No se lo pases a nadie. Si no lo pediste, ignora este mensaje.',
      },
      {
        lang: 'en',
        before: 'Sign in to {community} with this link:',
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
        before: 'Tu cuenta de {community} quiere usar este correo. Confírmalo donde has entrado en ella:',
        button: 'Usar este correo',
        after:
          'El enlace vale una hora. Si no fuiste tú o no tienes una cuenta en {community}, ignora este mensaje: nada cambia.',
      },
      {
        lang: 'en',
        before:
          'Your {community} account would like to use this address. Confirm it where you are signed in:',
        button: 'Use this address',
        after:
          'The link works for one hour. If it was not you, or you have no account at {community}, ignore this message: nothing changes.',
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
          'Ya tienes una cuenta con este correo. Alguien quiso usarlo en otra cuenta de {community}. Si fuiste tú, entra aquí:',
        button: 'Entrar',
        after: 'Si no fuiste tú, no hagas nada: nada cambia.',
      },
      {
        lang: 'en',
        before:
          'You already have an account with this address. Someone wanted to use it in another account of {community}. If it was you, sign in here:',
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
          'Quien opera este lugar creó un enlace para elegir una contraseña nueva de tu cuenta de {community}. Aquí ves la actividad de tu cuenta:',
        button: 'Ver mi cuenta',
        after: 'Si no lo pediste, escribe a quien opera este lugar. El enlace vale una hora y una sola vez.',
      },
      {
        lang: 'en',
        before:
          'The operator created a link to choose a new password for your {community} account. See your account’s activity here:',
        button: 'See my account',
        after: 'If you did not ask for it, write to the operator. The link works for one hour and only once.',
      },
    ],
  },
  'unlock-asked': {
    kind: 'unlock-asked',
    subject: 'La verificación en dos pasos se quita en tres días · Two-step verification ends in three days',
    parts: [
      {
        lang: 'es',
        before:
          'Alguien pidió a quien opera este lugar quitar la verificación en dos pasos de tu cuenta de {community}. Se quitará tres días después de este correo, con los códigos de recuperación, y bastará tu contraseña. Si no fuiste tú, páralo ya:',
        button: 'No quitarla',
        after: 'Si fuiste tú, no hagas nada: espera tres días.',
      },
      {
        lang: 'en',
        before:
          'Someone asked the operator to turn off two-step verification for your {community} account. It ends three days after this email, with the recovery codes, and your password will be enough. If it was not you, stop it now:',
        button: 'Keep it on',
        after: 'If it was you, do nothing: wait three days.',
      },
    ],
  },
  'deletion-asked': {
    kind: 'deletion-asked',
    subject: 'Tu cuenta de {community} se borra el {day} · Your {community} account is deleted on {day}',
    parts: [
      {
        lang: 'es',
        before:
          'Pediste borrar tu cuenta de {community}. Desde ahora nadie te ve, y el {day} se borra para siempre. Hasta entonces puedes volver y encontrarlo todo como estaba:',
        button: 'No quiero borrarla',
        after:
          'Si no fuiste tú, pulsa el enlace y elige una contraseña nueva. Si quieres borrarla, no hagas nada.',
      },
      {
        lang: 'en',
        before:
          'You asked to delete your {community} account. Nobody can see you now, and on {day} it is deleted for good. Until then you can come back and find everything as it was:',
        button: 'I do not want to delete it',
        after:
          'If it was not you, open the link and choose a new password. If you want to delete it, do nothing.',
      },
    ],
  },
  'export-ready': {
    kind: 'export-ready',
    subject: 'Tus datos están listos · Your data is ready',
    parts: [
      {
        lang: 'es',
        before: 'La descarga de tus datos de {community} está lista. Entra y descárgala aquí:',
        button: 'Descargar mis datos',
        after: 'Estará ahí siete días. Si no la pediste tú, entra, descártala y cambia tu contraseña.',
      },
      {
        lang: 'en',
        before: 'The download of your {community} data is ready. Sign in and download it here:',
        button: 'Download my data',
        after:
          'It is available for seven days. If you did not ask for it, sign in, discard it and change your password.',
      },
    ],
  },
  'reports-waiting': {
    kind: 'reports-waiting',
    subject: 'Hay denuncias en espera · Reports are waiting',
    parts: [
      {
        lang: 'es',
        before: 'Hay denuncias que esperan desde hace más de una hora. Entra para verlas:',
        button: 'Ver las denuncias',
        after: 'Puedes dejar de recibir este correo en Ajustes → Novedades.',
      },
      {
        lang: 'en',
        before: 'Reports have been waiting for more than an hour. Sign in to see them:',
        button: 'See the reports',
        after: 'You can stop this email in Settings → Notifications.',
      },
    ],
  },
  'suspension-proposed': {
    kind: 'suspension-proposed',
    subject: 'Alguien propone suspender a una moderadora u operadora · A suspension is proposed',
    parts: [
      {
        lang: 'es',
        before:
          'Alguien propone suspender a una moderadora u operadora. Hace falta otra persona que lo confirme o lo rechace:',
        button: 'Ver la propuesta',
        after: 'Recibes este correo porque eres operadora.',
      },
      {
        lang: 'en',
        before:
          'Someone has proposed to suspend a moderator or operator. Another person has to confirm or decline it:',
        button: 'See the proposal',
        after: 'You receive this email because you are an operator.',
      },
    ],
  },
  'applications-waiting': {
    kind: 'applications-waiting',
    subject: 'Hay solicitudes en espera · Applications are waiting',
    parts: [
      {
        lang: 'es',
        before: 'Hay personas que quieren unirse y esperan tu respuesta. Entra para verlas:',
        button: 'Ver las solicitudes',
        after:
          'Este correo llega como mucho una vez al día. Puedes dejar de recibirlo en Ajustes → Novedades.',
      },
      {
        lang: 'en',
        before: 'People who want to join are waiting for your answer. Sign in to see them:',
        button: 'See the applications',
        after: 'This email comes at most once a day. You can stop it in Settings → Notifications.',
      },
    ],
  },
  'application-confirmation': {
    kind: 'application-confirmation',
    subject: 'Confirma tu solicitud · Confirm your application',
    parts: [
      {
        lang: 'es',
        before:
          'Alguien envió una solicitud para unirse a {community} con este correo. Si fuiste tú, confírmala con la contraseña que elegiste. Hasta entonces nadie la lee.',
        button: 'Confirmar mi solicitud',
        after:
          'El enlace vale tres días. Después se borra la solicitud. Si no fuiste tú, ignora este mensaje o bórrala ya con el mismo enlace.',
      },
      {
        lang: 'en',
        before:
          'Someone applied to join {community} with this address. If it was you, confirm it with the password you chose. Nobody reads it before that.',
        button: 'Confirm my application',
        after:
          'The link works for three days. After that the application is deleted. If it was not you, ignore this message, or delete the application now with the same link.',
      },
    ],
  },
  'application-waiting': {
    kind: 'application-waiting',
    subject: 'Tu solicitud está en espera · Your application is waiting',
    parts: [
      {
        lang: 'es',
        before:
          'Alguien envió otra solicitud para {community} con este correo. Ya hay una en espera, así que la segunda no cuenta. Si la primera es tuya, entra con su contraseña y la ves:',
        button: 'Entrar',
        after: 'Si no enviaste ninguna y quieres unirte, escribe a quien lleva este lugar.',
      },
      {
        lang: 'en',
        before:
          'Someone sent another application to {community} with this address. One is already waiting, so the second does not count. If the first is yours, sign in with its password to see it:',
        button: 'Sign in',
        after: 'If you sent none and want to join, write to the operator.',
      },
    ],
  },
  'deletion-done': {
    kind: 'deletion-done',
    subject: 'El recibo de tu cuenta borrada · The receipt of your deleted account',
    parts: [
      {
        lang: 'es',
        before: 'Tu cuenta de {community} se está borrando. Cuando termine, el recibo estará aquí:',
        button: 'Ver el recibo',
        after: 'Guarda este enlace: es nuestro último correo, y el recibo no dice quién eras.',
      },
      {
        lang: 'en',
        before: 'Your {community} account is being deleted. When that is done, the receipt will be here:',
        button: 'See the receipt',
        after: 'Keep this link: this is our last email, and the receipt does not say who you were.',
      },
    ],
  },
  'email-undo': {
    kind: 'email-undo',
    subject: 'Tu correo en {community} cambió · Your email at {community} changed',
    parts: [
      {
        lang: 'es',
        before:
          'Tu cuenta de {community} ya no usa este correo. Si fuiste tú, todo está bien. Si no, recupera tu cuenta aquí:',
        button: 'Recuperar mi cuenta',
        after:
          'El enlace vale siete días. Devuelve este correo a tu cuenta, cierra todas sus sesiones y te pide una contraseña nueva.',
      },
      {
        lang: 'en',
        before:
          'Your {community} account no longer uses this address. If that was you, there is nothing to do. If not, get your account back here:',
        button: 'Get my account back',
        after:
          'The link works for seven days. It gives this address back to your account, ends all its sessions and asks you for a new password.',
      },
    ],
  },
} as const satisfies Record<string, EmailCopy>

export const testEmailTexts: EmailCopy = {
  kind: 'test',
  subject: 'Correo de prueba de {community} · Test email from {community}',
  parts: [
    {
      lang: 'es',
      before: 'Este correo de prueba salió de {community} y te llegó.',
      after: 'También llegarán los enlaces y códigos de las integrantes.',
    },
    {
      lang: 'en',
      before: 'This test email was sent by {community}, and you received it.',
      after: 'Members will receive their links and codes.',
    },
  ],
}

export const codeEmailTexts: EmailCopy = {
  kind: 'code',
  subject: 'Tu código de {community} · Your {community} code',
  parts: [
    {
      lang: 'es',
      before: 'Tu código para entrar en {community} es:',
      after: 'Vale quince minutos. No se lo digas a nadie. Si no lo pediste, ignora este mensaje.',
    },
    {
      lang: 'en',
      before: 'Your code to sign in to {community} is:',
      after: 'It works for fifteen minutes. Do not share it. If you did not ask for it, ignore this message.',
    },
  ],
}
