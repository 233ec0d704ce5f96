/**
 * The catalogue: everything the product can refuse, with its HTTP status and sentence. An operation fails only with
 * types it declares, or with one of `alwaysPossible`. The body is the dialect's at both doors: `{ message, code, type,
 * version }`, plus `field` where one field is to blame.
 */
export const errorCatalogue = {
  general_argument_invalid: [400, 'A value is not valid.'],
  general_query_invalid: [400, 'The query is not valid.'],
  general_cursor_not_found: [400, 'The row of the cursor was not found.'],
  general_unknown_origin: [403, 'This origin is not allowed.'],
  general_access_forbidden: [403, 'This is switched off here.'],
  general_unauthorized_scope: [401, 'User (role: guests) missing scope (account)'],
  general_rate_limit_exceeded: [
    429,
    'Rate limit for the current endpoint has been exceeded. Please try again after some time.',
  ],
  general_route_not_found: [404, 'The requested route was not found.'],
  general_method_not_allowed: [405, 'The requested method is not offered here.'],
  general_request_timeout: [408, 'The request took too long to arrive.'],
  general_payload_too_large: [413, 'The request is too large.'],
  general_headers_too_large: [431, 'The headers of the request are too large.'],
  general_content_type_invalid: [415, 'The content type is not supported.'],
  general_smtp_disabled: [503, 'SMTP is disabled.'],
  general_phone_disabled: [503, 'Phone messages are disabled.'],
  general_service_unavailable: [503, 'The service is busy. Please try again in a moment.'],
  general_unknown: [500, 'Server Error'],

  project_not_found: [404, 'Project with the requested ID could not be found.'],
  project_provider_disabled: [412, 'The chosen OAuth provider is disabled.'],
  database_not_found: [404, 'Database not found'],
  /** Not 408 as the dialect has it: browsers send a request again by themselves when they get that. */
  database_timeout: [400, 'This list takes longer than one second. Ask for it by fewer or narrower queries.'],
  collection_not_found: [404, 'Collection with the requested ID could not be found.'],

  user_already_exists: [409, 'A user with the same id, email, or phone already exists in this project.'],
  user_email_already_exists: [409, 'A user with the same email already exists in the current project.'],
  user_username_already_exists: [409, 'This username is taken.'],
  username_too_soon: [429, 'You can change your username once every 14 days.'],
  user_last_way_in: [409, 'Es tu última forma de entrar. Añade otra antes.'],
  user_name_reserved: [400, 'Este nombre parece del equipo de Juntas. Elige otro.'],
  user_invalid_credentials: [401, 'Invalid credentials. Please check the email and password.'],
  user_challenge_required: [401, 'Show that the account is yours, and try again.'],
  user_more_factors_required: [401, 'More factors are required to complete the sign in process.'],
  user_authenticator_not_found: [404, 'The authenticator could not be found.'],
  user_recovery_codes_already_exists: [409, 'The account has recovery codes already.'],
  user_recovery_codes_not_found: [404, 'Recovery codes are shown once and kept as hashes.'],
  user_auth_method_unsupported: [501, 'This factor is not offered here.'],
  totp_on: [409, 'An authenticator app is set up already.'],
  user_blocked: [401, 'The current user has been blocked.'],
  user_unauthorized: [403, 'The current user is not authorized to perform the requested action.'],
  user_session_not_found: [404, 'The current user session could not be found.'],
  user_not_found: [404, 'User with the requested ID could not be found.'],
  user_jwt_invalid: [401, 'The JWT token is invalid.'],
  user_invalid_token: [401, 'Invalid token passed in the request.'],
  user_session_already_exists: [401, 'Creation of a session is prohibited when a session is active.'],
  user_identity_not_found: [404, 'The identity could not be found.'],
  password_too_common: [400, 'Esta contraseña la usa mucha gente. Elige otra.'],
  password_personal_data: [400, 'Esta contraseña se adivina con tus datos. Elige otra.'],
  user_password_mismatch: [400, 'Passwords do not match. Please check the password and confirm password.'],
  user_email_not_found: [400, 'The account has no e-mail address.'],
  user_email_already_verified: [409, 'The e-mail address of the account is already verified.'],
  user_phone_not_found: [400, 'The account has no phone number.'],
  user_phone_already_exists: [
    409,
    'A user with the same phone number already exists in the current project.',
  ],
  user_phone_already_verified: [409, 'The phone number of the account is already verified.'],
  user_oauth2_bad_request: [400, 'This sign-in was not begun here, or it is over. Please start again.'],
  user_oauth2_unauthorized: [401, 'The provider did not confirm who you are.'],
  user_oauth2_provider_error: [424, 'The provider could not be reached. Please try again.'],

  document_not_found: [404, 'Document with the requested ID could not be found.'],
  document_already_exists: [409, 'Document with the requested ID already exists.'],
  document_missing_data: [400, 'The document data is missing.'],
  document_missing_payload: [400, 'The document data and permissions are missing.'],
  document_invalid_structure: [400, 'Invalid document structure.'],
  document_update_conflict: [409, 'Remote document is newer than local.'],

  storage_bucket_not_found: [404, 'Storage bucket with the requested ID could not be found.'],
  storage_file_not_found: [404, 'The requested file could not be found.'],
  storage_file_already_exists: [409, 'A storage file with the requested ID already exists.'],
  storage_file_empty: [400, 'Empty file passed to the endpoint.'],
  storage_file_type_unsupported: [400, 'The given file extension is not supported.'],
  storage_file_damaged: [400, 'The picture could not be read. It may be damaged or incomplete.'],
  storage_image_too_large: [400, 'The picture has too many pixels.'],
  storage_invalid_file: [403, 'The uploaded file is invalid.'],
  storage_invalid_file_size: [400, 'File size not allowed'],
  storage_invalid_content_range: [400, 'The content range is invalid.'],
  storage_invalid_appwrite_id: [400, 'The value for x-appwrite-id header is invalid.'],
  storage_invalid_range: [416, 'The requested range is not satisfiable.'],
  storage_file_in_use: [409, 'El archivo está en uso'],
  storage_device_full: [507, 'There is no room for uploads at the moment.'],

  avatar_not_found: [404, 'The requested avatar could not be found.'],
  avatar_image_not_found: [404, 'There is no picture at this address.'],
  avatar_icon_not_found: [404, 'The site has no icon that can be shown.'],
  avatar_remote_url_failed: [404, 'The address could not be fetched.'],

  post_photo_twice: [400, 'A photo can be in a post once.'],
  post_invalid_user: [400, 'Usuario no válido para crear el post'],
  follow_self_not_allowed: [400, 'No puedes seguirte a ti misma'],
  conversation_self_not_allowed: [400, 'No puedes chatear contigo misma'],
  block_self_not_allowed: [400, 'No puedes bloquearte a ti misma'],
  follow_request_not_found: [404, 'Solicitud no encontrada'],
  privacy_earlier_posts_required: [400, 'Di quién verá tus publicaciones anteriores'],
  conversation_not_allowed: [403, 'Esta persona no recibe mensajes nuevos por ahora'],
  conversation_waiting: [403, 'Podrás escribir más cuando te conteste'],
  restrict_self_not_allowed: [400, 'No puedes restringirte a ti misma'],
  mute_self_not_allowed: [400, 'No puedes silenciarte a ti misma'],
  report_subject_not_found: [404, 'No encontramos lo que quieres denunciar'],
  report_self_not_allowed: [400, 'No puedes denunciarte a ti misma'],
  case_not_found: [404, 'Caso no encontrado'],
  case_not_claimed: [409, 'Toma el caso antes de decidir'],
  case_claimed: [409, 'Otra moderadora tiene este caso'],
  case_decided: [409, 'Este caso ya está decidido'],
  appeal_exists: [409, 'Ya pediste una revisión'],
  appeal_own_decision: [403, 'La revisión la decide otra moderadora'],
  moderation_password_required: [403, 'Escribe tu contraseña para entrar en moderación'],
  group_membership_required: [403, 'No tienes acceso a los posts de este grupo'],
  group_request_pending: [409, 'Ya tienes una solicitud pendiente para este grupo'],
  group_already_member: [409, 'Ya eres miembro de este grupo'],
  group_request_not_found: [404, 'Solicitud no encontrada'],
  group_approve_admin_required: [403, 'Solo el admin del grupo puede aprobar solicitudes'],
  group_reject_admin_required: [403, 'Solo el admin del grupo puede rechazar solicitudes'],
  group_request_processed: [409, 'Esta solicitud ya fue procesada'],
  group_not_found: [404, 'Group not found'],
  group_member_not_found: [404, 'Esta persona no es miembro del grupo'],
  group_name_mismatch: [400, 'El nombre no coincide con el del grupo'],
  group_admin_cannot_leave: [409, 'El admin no puede salir del grupo sin transferirlo'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>

export type ErrorType = keyof typeof errorCatalogue

/** Begins the message of `user_blocked` to who signs in to a suspended account; the rest is until when, and why. */
export const suspendedSentence = 'Tu cuenta está suspendida'

/** What any operation may answer, so no operation declares it. */
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
  'user_jwt_invalid',
] as const satisfies readonly ErrorType[]

/** The answer's body at both doors. */
export type ErrorResponseBody = {
  message: string
  code: number
  type: string
  version: string
  field?: string
}
