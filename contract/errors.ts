import { providerProblems } from './account/provider-problems.ts'
import { en, es } from './language.ts'

/**
 * Operations fail only with types that they declare and `commonErrorTypes`. Responses contain `{ message,
 * code, type, version }`, plus `field` if one field is the cause.
 */
export const errorCatalogue = {
  general_argument_invalid: [400, en('A value is not valid.', 'Un valor no es válido.')],
  general_query_invalid: [400, en('The query is not valid.', 'La consulta no es válida.')],
  general_cursor_not_found: [
    400,
    en('The row of the cursor was not found.', 'No encontramos la fila del cursor.'),
  ],
  general_unknown_origin: [403, en('This origin is not allowed.', 'Este origen no está permitido.')],
  general_access_forbidden: [403, en('This is turned off here.', 'Aquí esto está desactivado.')],
  general_unauthorized_scope: [
    401,
    en('User (role: guests) missing scope (account)', 'Para esto hace falta entrar (account)'),
  ],
  general_rate_limit_exceeded: [
    429,
    en(
      'Rate limit for the current endpoint has been exceeded. Please try again after some time.',
      'Demasiadas veces seguidas. Inténtalo dentro de un rato.',
    ),
  ],
  general_route_not_found: [404, en('The requested route was not found.', 'Esta dirección no existe.')],
  general_method_not_allowed: [
    405,
    en('The requested method is not offered here.', 'Este método no se ofrece aquí.'),
  ],
  general_request_timeout: [
    408,
    en('The request took too long to arrive.', 'La petición tardó demasiado en llegar.'),
  ],
  general_payload_too_large: [413, en('The request is too large.', 'La petición es demasiado grande.')],
  general_headers_too_large: [
    431,
    en('The headers of the request are too large.', 'Las cabeceras de la petición son demasiado grandes.'),
  ],
  general_content_type_invalid: [
    415,
    en('The content type is not supported.', 'Este tipo de contenido no se admite.'),
  ],
  general_smtp_disabled: [503, en('SMTP is disabled.', 'Aquí no se envían correos.')],
  general_phone_disabled: [
    503,
    en('Phone messages are disabled.', 'Aquí no se envían mensajes al teléfono.'),
  ],
  general_service_unavailable: [
    503,
    en(
      'The service is busy. Please try again in a moment.',
      'Hay mucho movimiento. Inténtalo en un momento.',
    ),
  ],
  general_unknown: [500, en('Server Error', 'Error del servidor')],

  project_not_found: [
    404,
    en('Project with the requested ID could not be found.', 'No encontramos ese proyecto.'),
  ],
  project_provider_disabled: [
    412,
    en('The chosen OAuth provider is disabled.', 'Ese proveedor está desactivado.'),
  ],
  database_not_found: [404, en('Database not found', 'No encontramos esa base de datos')],
  /** Browsers automatically repeat requests that get the Appwrite API's 408. */
  database_timeout: [
    400,
    en(
      'This query takes longer than one second. Use fewer or narrower filters.',
      'Esta consulta tarda más de un segundo. Usa menos filtros o más concretos.',
    ),
  ],
  collection_not_found: [
    404,
    en('Collection with the requested ID could not be found.', 'No encontramos esa colección.'),
  ],

  user_already_exists: [
    409,
    en(
      'A user with the same id, email, or phone already exists in this project.',
      'Ya hay una cuenta con ese identificador, correo o teléfono.',
    ),
  ],
  user_email_already_exists: [
    409,
    en(
      'A user with the same email already exists in the current project.',
      'Ya hay una cuenta con ese correo.',
    ),
  ],
  user_username_already_exists: [409, en('This username is taken.', 'Ese nombre de usuaria ya está en uso.')],
  username_too_soon: [
    429,
    en(
      'You can change your username once every 14 days.',
      'Puedes cambiar tu nombre de usuaria una vez cada 14 días.',
    ),
  ],
  user_last_way_in: [
    409,
    es(
      'Es tu última forma de entrar. Añade otra antes.',
      'This is your only way to sign in. Add another one first.',
    ),
  ],
  user_invite_required: [403, providerProblems.user_invite_required],
  application_required: [403, providerProblems.application_required],
  applications_closed: [
    403,
    es('Ahora no se reciben solicitudes.', 'Applications are closed at the moment.'),
  ],
  application_waiting: [
    403,
    es(
      'Tu solicitud está en espera. Todavía no hay respuesta.',
      'Your application is still waiting for an answer.',
    ),
  ],
  application_declined: [403, es('No aceptaron tu solicitud.', 'Your application was declined.')],
  application_not_found: [404, en('This application no longer exists.', 'Esta solicitud ya no existe.')],
  application_decided: [
    409,
    en('Someone has already decided on this application.', 'Ya hay una decisión sobre esta solicitud.'),
  ],
  registration_closed: [403, providerProblems.registration_closed],
  invitation_over: [410, providerProblems.invitation_over],
  invitation_limit: [409, en('You have five open invitations.', 'Tienes cinco invitaciones abiertas.')],
  operator_invitation_limit: [
    409,
    en('You have fifty open invitations.', 'Tienes cincuenta invitaciones abiertas.'),
  ],
  rules_unseen: [
    400,
    es('Lee las normas de la casa antes de entrar.', 'Read the house rules before you join.'),
  ],
  email_protects_account: [
    409,
    en(
      'This email is about the security of an account, so it cannot be discarded.',
      'Este correo trata de la seguridad de una cuenta, así que no se puede descartar.',
    ),
  ],
  email_expired: [
    409,
    en(
      'The link or code of this email has expired. The member can ask for another.',
      'El enlace o código de este correo ya no vale. La integrante puede pedir otro.',
    ),
  ],
  community_set_by_operator: [
    409,
    en('The operator’s settings fix this value.', 'Este valor lo fija la configuración de la operadora.'),
  ],
  user_name_reserved: [
    400,
    es(
      'Este nombre parece del equipo de Juntas. Elige otro.',
      'This name looks like the Juntas team’s. Choose another.',
    ),
  ],
  user_invalid_credentials: [
    401,
    en(
      'Invalid credentials. Please check the email and password.',
      'El correo o la contraseña no coinciden. Revísalos.',
    ),
  ],
  user_challenge_required: [
    401,
    en(
      'Confirm that this account is yours, and try again.',
      'Confirma que la cuenta es tuya e inténtalo de nuevo.',
    ),
  ],
  user_more_factors_required: [
    401,
    en('More factors are required to complete the sign in process.', 'Para entrar hace falta un paso más.'),
  ],
  user_authenticator_not_found: [
    404,
    en('The authenticator could not be found.', 'No encontramos ese autenticador.'),
  ],
  user_recovery_codes_already_exists: [
    409,
    en('The account already has recovery codes.', 'La cuenta ya tiene códigos de recuperación.'),
  ],
  user_recovery_codes_not_found: [
    404,
    en('Recovery codes are shown only once.', 'Los códigos de recuperación se muestran una sola vez.'),
  ],
  user_auth_method_unsupported: [
    501,
    en(
      'This verification method is not available here.',
      'Este método de verificación no está disponible aquí.',
    ),
  ],
  totp_on: [409, en('An authenticator app is already set up.', 'Ya tienes una aplicación de autenticación.')],
  passkeys_unavailable: [
    501,
    en(
      'Passkeys need an https address, or localhost.',
      'Las llaves de acceso necesitan una dirección https, o localhost.',
    ),
  ],
  passkey_unknown: [
    401,
    es(
      'Juntas no reconoce esa llave. Entra de otra manera y añádela otra vez.',
      'Juntas does not know that passkey. Sign in another way and add it again.',
    ),
  ],
  passkey_invalid: [
    401,
    en(
      'The passkey could not be verified. Please try again.',
      'No pudimos comprobar la llave. Inténtalo de nuevo.',
    ),
  ],
  passkey_not_found: [404, en('The passkey could not be found.', 'No encontramos esa llave.')],
  passkey_limit: [
    409,
    en('You have ten passkeys. Remove one first.', 'Tienes diez llaves. Quita una antes.'),
  ],
  account_closing: [401, es('Tu cuenta se está borrando.', 'Your account is being deleted.')],
  username_mismatch: [400, en('That is not your username.', 'Ese no es tu nombre de usuaria.')],
  deletion_not_found: [404, en('This account is not being deleted.', 'Esta cuenta no se está borrando.')],
  deletion_under_way: [409, en('Your account is already being deleted.', 'Tu cuenta ya se está borrando.')],
  export_not_found: [404, en('This download does not exist.', 'Esta descarga no existe.')],
  export_under_way: [
    409,
    en('Your download is already being prepared.', 'Ya estamos preparando tu descarga.'),
  ],
  export_too_soon: [
    429,
    en('You can prepare another download tomorrow.', 'Mañana podrás preparar otra descarga.'),
  ],
  export_outdated: [
    410,
    en(
      'Some of this data has since been deleted. Prepare a new download.',
      'Parte de estos datos se borró después. Prepara otra descarga.',
    ),
  ],
  receipt_not_found: [
    404,
    en('There is no receipt at this address.', 'No hay ningún recibo en esta dirección.'),
  ],
  user_blocked: [401, en('The current user has been blocked.', 'Esta cuenta está bloqueada.')],
  user_unauthorized: [
    403,
    en(
      'The current user is not authorized to perform the requested action.',
      'No tienes permiso para hacer esto.',
    ),
  ],
  user_session_not_found: [
    404,
    en('The current user session could not be found.', 'No encontramos esa sesión.'),
  ],
  user_not_found: [
    404,
    en('User with the requested ID could not be found.', 'No encontramos a esa persona.'),
  ],
  user_jwt_invalid: [401, en('The JWT token is invalid.', 'El token JWT no es válido.')],
  user_invalid_token: [401, en('Invalid token passed in the request.', 'Ese código o enlace no es válido.')],
  user_session_already_exists: [
    401,
    en('Creation of a session is prohibited when a session is active.', 'Ya hay una sesión abierta.'),
  ],
  user_identity_not_found: [404, en('The identity could not be found.', 'No encontramos esa identidad.')],
  password_too_common: [
    400,
    es('Esta contraseña la usa mucha gente. Elige otra.', 'Many people use this password. Choose another.'),
  ],
  password_personal_data: [
    400,
    es(
      'Esta contraseña se adivina con tus datos. Elige otra.',
      'This password can be guessed from your details. Choose another.',
    ),
  ],
  user_password_mismatch: [
    400,
    en(
      'Passwords do not match. Please check the password and confirm password.',
      'Las contraseñas no coinciden. Revísalas.',
    ),
  ],
  user_email_not_found: [400, en('The account has no email address.', 'La cuenta no tiene correo.')],
  user_email_already_verified: [
    409,
    en('The email address of the account is already verified.', 'El correo de la cuenta ya está confirmado.'),
  ],
  user_phone_not_found: [400, en('The account has no phone number.', 'La cuenta no tiene teléfono.')],
  user_phone_already_exists: [
    409,
    en(
      'A user with the same phone number already exists in the current project.',
      'Ya hay una cuenta con ese teléfono.',
    ),
  ],
  user_phone_already_verified: [
    409,
    en(
      'The phone number of the account is already verified.',
      'El teléfono de la cuenta ya está confirmado.',
    ),
  ],
  user_oauth2_bad_request: [
    400,
    en(
      'This sign-in did not start here, or it has expired. Please start again.',
      'Este acceso no empezó aquí o ya caducó. Empieza de nuevo.',
    ),
  ],
  user_oauth2_unauthorized: [
    401,
    en('The provider did not confirm who you are.', 'El proveedor no confirmó quién eres.'),
  ],
  user_oauth2_denied: [403, providerProblems.user_oauth2_denied],
  user_oauth2_email_missing: [403, providerProblems.user_oauth2_email_missing],
  user_identity_taken: [409, providerProblems.user_identity_taken],
  user_oauth2_provider_error: [
    424,
    en(
      'The provider could not be reached. Please try again.',
      'No pudimos conectar con el proveedor. Inténtalo de nuevo.',
    ),
  ],

  document_not_found: [404, en('Document with the requested ID could not be found.', 'Esto ya no está.')],
  document_already_exists: [409, en('Document with the requested ID already exists.', 'Eso ya existe.')],
  document_missing_data: [400, en('The document data is missing.', 'Faltan los datos.')],
  document_missing_payload: [
    400,
    en('The document data and permissions are missing.', 'Faltan los datos y los permisos.'),
  ],
  document_invalid_structure: [400, en('Invalid document structure.', 'La forma de los datos no es válida.')],
  document_update_conflict: [
    409,
    en('Remote document is newer than local.', 'Hay una versión más nueva que la tuya.'),
  ],

  storage_bucket_not_found: [
    404,
    en('Storage bucket with the requested ID could not be found.', 'No encontramos ese almacén.'),
  ],
  storage_file_not_found: [404, en('The requested file could not be found.', 'No encontramos ese archivo.')],
  storage_file_already_exists: [
    409,
    en('A storage file with the requested ID already exists.', 'Ya hay un archivo con ese identificador.'),
  ],
  storage_file_empty: [400, en('Empty file passed to the endpoint.', 'El archivo está vacío.')],
  storage_file_type_unsupported: [
    400,
    en('The given file extension is not supported.', 'Este tipo de archivo no se admite.'),
  ],
  storage_file_damaged: [
    400,
    en(
      'The picture could not be read. It may be damaged or incomplete.',
      'No pudimos leer la foto. Puede estar dañada o incompleta.',
    ),
  ],
  storage_image_too_large: [400, en('The picture has too many pixels.', 'La foto tiene demasiados píxeles.')],
  storage_invalid_file: [403, en('The uploaded file is invalid.', 'El archivo no es válido.')],
  storage_invalid_file_size: [400, en('File size not allowed', 'El archivo es demasiado grande')],
  storage_invalid_content_range: [
    400,
    en('The content range is invalid.', 'El rango del contenido no es válido.'),
  ],
  storage_invalid_appwrite_id: [
    400,
    en('The value for x-appwrite-id header is invalid.', 'El valor de x-appwrite-id no es válido.'),
  ],
  storage_invalid_range: [
    416,
    en('The requested range is not satisfiable.', 'Ese rango no se puede servir.'),
  ],
  storage_file_in_use: [409, es('El archivo está en uso', 'The file is in use')],
  storage_device_full: [
    507,
    en('There is no room for uploads at the moment.', 'Ahora mismo no hay espacio para subir fotos.'),
  ],

  avatar_not_found: [404, en('The requested avatar could not be found.', 'No encontramos esa imagen.')],
  avatar_image_not_found: [
    404,
    en('There is no picture at this address.', 'No hay ninguna foto en esta dirección.'),
  ],
  avatar_icon_not_found: [
    404,
    en('The site has no icon that can be shown.', 'El sitio no tiene un icono que se pueda mostrar.'),
  ],
  avatar_remote_url_failed: [404, en('The address could not be fetched.', 'No pudimos abrir esa dirección.')],

  post_photo_twice: [
    400,
    en('A photo can appear only once in a post.', 'Una foto solo puede estar una vez en una publicación.'),
  ],
  person_not_named: [403, en("She can't be tagged in this photo.", 'No se la puede etiquetar en esta foto.')],
  named_people_full: [
    400,
    en(
      'At most 10 people can be tagged in a photo, and 20 in a post.',
      'Se pueden etiquetar 10 personas en una foto y 20 en una publicación, como mucho.',
    ),
  ],
  comments_closed: [403, en('Comments are closed.', 'Los comentarios están cerrados.')],
  comment_too_old: [
    403,
    en('A comment can be edited for 15 minutes.', 'Un comentario se puede editar durante 15 minutos.'),
  ],
  comment_thread_not_found: [
    404,
    en(
      'The comment you are replying to is no longer available.',
      'El comentario al que respondes ya no está.',
    ),
  ],
  post_invalid_user: [
    400,
    es('Usuario no válido para crear el post', 'Not a valid account to create the post'),
  ],
  follow_self_not_allowed: [400, es('No puedes seguirte a ti misma', "You can't follow yourself")],
  conversation_self_not_allowed: [400, es('No puedes chatear contigo misma', "You can't chat with yourself")],
  block_self_not_allowed: [400, es('No puedes bloquearte a ti misma', "You can't block yourself")],
  follow_request_not_found: [404, es('Solicitud no encontrada', 'Request not found')],
  privacy_earlier_posts_required: [
    400,
    es('Elige quién verá tus publicaciones anteriores', 'Choose who will see your earlier posts'),
  ],
  conversation_not_allowed: [
    403,
    es(
      'Esta persona no acepta mensajes nuevos por ahora',
      'This person is not accepting new messages for now',
    ),
  ],
  conversation_waiting: [
    403,
    es('Podrás escribir más cuando te conteste', 'You can write more once she answers'),
  ],
  message_photos_waiting: [
    403,
    es('Podrás enviar fotos cuando te conteste', 'You can send photos once she answers'),
  ],
  message_not_found: [
    404,
    en('The message you are replying to is no longer available.', 'El mensaje al que respondes ya no está.'),
  ],
  push_host_refused: [
    400,
    es('Juntas no puede enviar avisos a ese servicio', 'Juntas cannot send notifications to that service'),
  ],
  push_browser_not_found: [404, es('Avisos desactivados en este dispositivo', 'Push is off for this device')],
  push_not_taken: [
    503,
    es(
      'El servicio de avisos del navegador rechazó este dispositivo',
      "The browser's push service refused this device",
    ),
  ],
  push_disabled: [
    503,
    es('Aquí no hay avisos en el dispositivo', 'Push notifications are not available here'),
  ],
  message_too_old: [
    403,
    en('A message can be unsent for 24 hours.', 'Un mensaje se puede retirar durante 24 horas.'),
  ],
  restrict_self_not_allowed: [400, es('No puedes restringirte a ti misma', "You can't restrict yourself")],
  mute_self_not_allowed: [400, es('No puedes silenciarte a ti misma', "You can't mute yourself")],
  report_subject_not_found: [
    404,
    es('No encontramos lo que quieres denunciar', 'What you want to report could not be found'),
  ],
  report_self_not_allowed: [400, es('No puedes denunciarte a ti misma', "You can't report yourself")],
  case_not_found: [404, es('Caso no encontrado', 'Case not found')],
  case_not_claimed: [409, es('Toma el caso antes de decidir', 'Claim the case before you decide')],
  case_claimed: [409, es('Otra moderadora tiene este caso', 'Another moderator has this case')],
  case_decided: [409, es('Este caso ya está decidido', 'This case is already decided')],
  admin_account_closed: [
    409,
    en('This account is closed or suspended.', 'Esta cuenta está cerrada o suspendida.'),
  ],
  admin_account_without_email: [
    409,
    en('This account has no email address.', 'Esta cuenta no tiene correo.'),
  ],
  admin_account_suspended: [409, en('This account is already suspended.', 'Esta cuenta ya está suspendida.')],
  admin_account_not_suspended: [409, en('This account is not suspended.', 'Esta cuenta no está suspendida.')],
  admin_own_account: [
    403,
    en('You cannot suspend your own account.', 'No puedes suspender tu propia cuenta.'),
  ],
  admin_case_interest: [
    403,
    en(
      'You reported or blocked this member, or the case concerns your group. Another person has to decide.',
      'Denunciaste o bloqueaste a esta persona, o el caso es de tu grupo. Tiene que decidir otra persona.',
    ),
  ],
  admin_command_required: [
    403,
    en(
      'In the app, one operator cannot do this alone. Use the command on the server.',
      'En la aplicación, una operadora no puede hacer esto sola. Usa el comando en el servidor.',
    ),
  ],
  suspension_not_proposed: [
    409,
    es('La propuesta cambió: mírala otra vez', 'The proposal changed: look at it again'),
  ],
  suspension_own_proposal: [
    403,
    es('La suspensión la confirma otra moderadora', 'Another moderator confirms the suspension'),
  ],
  appeal_exists: [409, es('Ya pediste una revisión', 'You have already asked for a review')],
  appeal_own_decision: [
    403,
    es('La revisión la decide otra moderadora', 'Another moderator decides the review'),
  ],
  moderation_password_required: [
    403,
    es('Escribe tu contraseña para entrar en moderación', 'Enter your password to open moderation'),
  ],
  group_membership_required: [
    403,
    es('No tienes acceso a los posts de este grupo', "You don't have access to this group's posts"),
  ],
  group_request_pending: [
    409,
    es(
      'Ya tienes una solicitud pendiente para este grupo',
      'You already have a pending request for this group',
    ),
  ],
  group_already_member: [409, es('Ya eres miembro de este grupo', 'You are already a member of this group')],
  group_request_not_found: [404, es('Solicitud no encontrada', 'Request not found')],
  group_approve_admin_required: [
    403,
    es('Solo el admin del grupo puede aprobar solicitudes', "Only the group's admin can approve requests"),
  ],
  group_reject_admin_required: [
    403,
    es('Solo el admin del grupo puede rechazar solicitudes', "Only the group's admin can reject requests"),
  ],
  group_request_processed: [409, es('Esta solicitud ya fue procesada', 'This request was already processed')],
  group_not_found: [404, en('Group not found', 'No encontramos ese grupo')],
  group_member_not_found: [
    404,
    es('Esta persona no es miembro del grupo', 'This person is not a member of the group'),
  ],
  group_name_mismatch: [
    400,
    es('El nombre no coincide con el del grupo', "The name does not match the group's"),
  ],
  group_admin_cannot_leave: [
    409,
    es(
      'El admin no puede salir del grupo sin transferirlo',
      'The admin cannot leave the group without handing it over',
    ),
  ],
} as const satisfies Record<string, readonly [status: number, sentence: string]>

export type ErrorType = keyof typeof errorCatalogue

/** The end date and the reason follow. */
export const suspendedSentence = es('Tu cuenta está suspendida', 'Your account is suspended')

/** Operations need not declare these types. */
export const commonErrorTypes = [
  'general_argument_invalid',
  'general_unknown_origin',
  'general_unauthorized_scope',
  'general_rate_limit_exceeded',
  'general_request_timeout',
  'general_payload_too_large',
  'general_content_type_invalid',
  'general_service_unavailable',
  'general_unknown',
  'user_blocked',
  'user_more_factors_required',
  'account_closing',
  'user_jwt_invalid',
] as const satisfies readonly ErrorType[]

export type ErrorResponseBody = {
  message: string
  code: number
  type: string
  version: string
  field?: string
}
