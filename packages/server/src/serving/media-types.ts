import mimeTypes from 'mime-types';

export interface MediaType {
  /** The whole Content-Type header. */
  readonly contentType: string;
  /** The role decides about isolation and revalidation, which only concern pages and scripts. */
  readonly role: 'page' | 'script' | 'other';
  /** True if the type compresses well: compressed forms may exist, now or later. */
  readonly compressible: boolean;
  /**
   * The coding of bytes that were published compressed (`x.wasm.br` of an engine build); `contentType` is
   * that of the content.
   */
  readonly coding?: 'br' | 'gzip';
}

const binary = 'application/octet-stream';

/** Types that the registry lacks, or gives in a form that browsers and engines do not accept. */
const ownTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  mjs: 'text/javascript',
  cjs: 'text/javascript',
  wasm: 'application/wasm',
  // Engine payloads: Unity, Godot, Emscripten, Construct, RPG Maker, GameMaker.
  data: binary,
  pck: binary,
  unityweb: binary,
  mem: binary,
  bundle: binary,
  rpgmvp: binary,
  rpgmvo: binary,
  rpgmvm: binary,
  win: binary,
  sf2: binary,
  // Models and textures.
  glb: 'model/gltf-binary',
  gltf: 'model/gltf+json',
  ktx: 'image/ktx',
  ktx2: 'image/ktx2',
  basis: 'image/x-basis',
  hdr: 'image/vnd.radiance',
  exr: 'image/x-exr',
  jxl: 'image/jxl',
  avif: 'image/avif',
  cur: 'image/x-icon',
  ico: 'image/x-icon',
  // Sound.
  opus: 'audio/ogg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  aac: 'audio/aac',
  weba: 'audio/webm',
  // Fonts.
  woff: 'font/woff',
  woff2: 'font/woff2',
  // Text that games load.
  webmanifest: 'application/manifest+json',
  map: 'application/json',
  tmj: 'application/json',
  ldtk: 'application/json',
  tmx: 'application/xml',
  tsx: 'text/plain',
  ts: 'text/plain',
  atlas: 'text/plain',
  fnt: 'text/plain',
  glsl: 'text/plain',
  vert: 'text/plain',
  frag: 'text/plain',
  wgsl: 'text/plain',
  lua: 'text/plain',
  py: 'text/plain',
  ink: 'text/plain',
};

const pageTypes = new Set([
  'text/html',
  'application/xhtml+xml',
  'image/svg+xml',
  'application/xml',
  'text/xml',
]);
const textTypes = new Set(['application/json', 'application/manifest+json', 'model/gltf+json']);
/**
 * Parts of pages that name no encoding. Browsers read them in that of the page, which is UTF-8 but for old pages
 * (module-pages.ts); modules and workers always in UTF-8.
 */
const partTypes = new Set(['text/javascript', 'text/css']);
/** Formats that are compressed inside: compressing them again gains nothing. */
const packedTypes =
  /^(?:image\/(?!svg|x-icon|bmp|x-ms-bmp|ktx|vnd\.radiance)|audio\/(?!wav|midi)|video\/|font\/woff|application\/(?:zip|gzip|x-7z|vnd\.rar))/u;
/**
 * Files that only an engine's loader requests. Other `.gz` files are archives that the game unpacks itself.
 */
const engineGzip = /\.(?:wasm|data|pck|mem|js|mjs|unityweb|symbols\.json)\.gz$/u;

/** Returns the type of a file, from its path alone: bytes are never sniffed (`nosniff`). */
export function mediaTypeOf(path: string): MediaType {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (name.endsWith('.svgz')) return { ...plainType('x.svg'), coding: 'gzip', compressible: false };
  // Pages cannot decode brotli themselves, so `.br` after another extension is always a coding.
  if (/[^.]\.[^.]+\.br$/u.test(name))
    return { ...plainType(name.slice(0, -3)), coding: 'br', compressible: false };
  if (engineGzip.test(name)) return { ...plainType(name.slice(0, -3)), coding: 'gzip', compressible: false };
  return plainType(name);
}

function plainType(name: string): MediaType {
  const dot = name.lastIndexOf('.');
  const extension = dot < 0 ? '' : name.slice(dot + 1);
  const own = Object.hasOwn(ownTypes, extension) ? ownTypes[extension] : undefined;
  const type = own ?? (mimeTypes.lookup(extension) || binary);
  const isText = (type.startsWith('text/') && !partTypes.has(type)) || textTypes.has(type);
  return {
    contentType: isText ? `${type}; charset=utf-8` : type,
    role: pageTypes.has(type) ? 'page' : type === 'text/javascript' ? 'script' : 'other',
    compressible: !packedTypes.test(type),
  };
}
