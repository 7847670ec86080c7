import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Color,
  DirectionalLight,
  DoubleSide,
  FogExp2,
  Group,
  HemisphereLight,
  IcosahedronGeometry,
  InstancedMesh,
  Mesh,
  MeshStandardMaterial,
  Object3D,
  PerspectiveCamera,
  PlaneGeometry,
  PointLight,
  Scene,
  SphereGeometry,
  Sprite,
  SpriteMaterial,
  WebGLRenderer,
} from 'three';
import { randomOf } from './course.js';

const night = new Color('#0a1730');
const rocksShown = 220;
const lightsShown = 60;
const waves = [
  { length: 17, height: 0.34, speed: 1.1, turn: 0.2 },
  { length: 7.3, height: 0.16, speed: 1.9, turn: -0.7 },
  { length: 3.1, height: 0.06, speed: 2.7, turn: 1.4 },
];

/**
 * The sea and everything on it. World z is the negative of `out`: the boat stays near 0 and the rest moves
 * towards it.
 */
export class View {
  #renderer;
  #scene = new Scene();
  #camera = new PerspectiveCamera(62, 1, 0.1, 240);
  #sea;
  #boat = new Group();
  #hull;
  #rocks;
  #lights;
  #glows = [];
  #lantern = new PointLight('#ffc46b', 14, 22, 1.5);
  #place = new Object3D();
  #shake = 0;

  constructor(canvas) {
    this.#renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' });
    this.#scene.background = night;
    this.#scene.fog = new FogExp2(night, 0.014);
    const moon = new DirectionalLight('#bcd0ff', 1.7);
    moon.position.set(-30, 40, -60);
    this.#scene.add(moon, new HemisphereLight('#9fb6ea', '#2a3556', 1.6));
    this.#sea = makeSea();
    this.#rocks = makeRocks();
    this.#lights = new InstancedMesh(
      new SphereGeometry(0.28, 12, 8),
      new MeshStandardMaterial({ color: '#ffd98a', emissive: '#ffb445', emissiveIntensity: 2.2 }),
      lightsShown,
    );
    // The bounds of instances are computed once, but the instances move, so culling by bounds would hide
    // them.
    for (const many of [this.#rocks, this.#lights]) many.frustumCulled = false;
    this.#hull = makeBoat();
    this.#boat.add(this.#hull, this.#lantern);
    this.#lantern.position.set(0, 2.2, -2.2);
    const glow = glowTexture();
    for (let index = 0; index < lightsShown; index++) {
      const sprite = new Sprite(new SpriteMaterial({ map: glow, depthWrite: false, transparent: true }));
      sprite.scale.setScalar(2.6);
      this.#glows.push(sprite);
    }
    const moonDisc = new Sprite(new SpriteMaterial({ map: glowTexture('#fff6dc', 0.35), fog: false }));
    moonDisc.position.set(-34, 34, -200);
    moonDisc.scale.setScalar(34);
    this.#scene.add(this.#sea, this.#rocks, this.#lights, this.#boat, moonDisc, ...this.#glows);
  }

  /** @param colour the boat's colour in CSS */
  paintBoat(colour) {
    this.#hull.material.color.set(colour);
  }

  jolt() {
    this.#shake = 1;
  }

  resize() {
    const { clientWidth, clientHeight } = this.#renderer.domElement;
    // More than two pixels per CSS pixel cost time and are not visible at this speed.
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio || 1, 2));
    this.#renderer.setSize(clientWidth, clientHeight, false);
    this.#camera.aspect = clientWidth / Math.max(1, clientHeight);
    // A phone held upright gets a wider angle, to see as far to the sides.
    this.#camera.fov = this.#camera.aspect < 1 ? 78 : 58;
    this.#camera.updateProjectionMatrix();
  }

  draw(trip, seconds, dt) {
    this.#moveSea(trip.out, seconds);
    this.#placeMany(this.#rocks, trip.rocks, rocksShown, trip.out, (rock) => {
      this.#place.position.y = -0.25;
      this.#place.rotation.set(0, rock.turn, 0);
      this.#place.scale.set(rock.size, rock.size * 1.25, rock.size);
    });
    this.#placeLights(trip, seconds);
    const y = heightAt(trip.x, -trip.out, seconds);
    this.#boat.position.set(trip.x, y + 0.1, 0);
    const sunk = trip.state === 'aground' ? 0.5 : 0;
    this.#boat.rotation.set(
      (heightAt(trip.x, -trip.out - 1, seconds) - y) * 0.5 - sunk * 0.4,
      -trip.drift * 0.035,
      -trip.drift * 0.03 + sunk,
    );
    this.#shake = Math.max(0, this.#shake - dt * 2.5);
    const jitter = this.#shake * Math.sin(seconds * 80) * 0.25;
    this.#camera.position.set(trip.x * 0.72 + jitter, 4.6, 8.6);
    this.#camera.lookAt(trip.x * 0.82, 0.6, -9);
    this.#renderer.render(this.#scene, this.#camera);
  }

  #placeLights(trip, seconds) {
    const left = trip.lights.filter(({ taken }) => !taken);
    this.#placeMany(this.#lights, left, lightsShown, trip.out, (light) => {
      this.#place.position.y = 0.55 + Math.sin(seconds * 2 + light.out) * 0.14;
      this.#place.rotation.set(0, 0, 0);
      this.#place.scale.setScalar(1);
    });
    for (const [index, sprite] of this.#glows.entries()) {
      const light = left[index];
      sprite.visible = light !== undefined;
      if (light) sprite.position.set(light.x, 0.6, trip.out - light.out);
    }
  }

  #placeMany(mesh, things, most, out, shape) {
    mesh.count = Math.min(things.length, most);
    for (let index = 0; index < mesh.count; index++) {
      const thing = things[index];
      this.#place.position.set(thing.x, 0, out - thing.out);
      shape(thing);
      this.#place.updateMatrix();
      mesh.setMatrixAt(index, this.#place.matrix);
    }
    mesh.instanceMatrix.needsUpdate = true;
  }

  #moveSea(out, seconds) {
    const { position } = this.#sea.geometry.attributes;
    for (let index = 0; index < position.count; index++)
      position.setY(index, heightAt(position.getX(index), position.getZ(index) - out, seconds));
    position.needsUpdate = true;
  }
}

function heightAt(x, z, seconds) {
  let height = 0;
  for (const wave of waves) {
    const along = x * Math.sin(wave.turn) + z * Math.cos(wave.turn);
    height += wave.height * Math.sin((along / wave.length) * 6.283 + seconds * wave.speed);
  }
  return height;
}

function makeSea() {
  const geometry = new PlaneGeometry(110, 190, 66, 110);
  geometry.rotateX(-Math.PI / 2);
  geometry.translate(0, 0, -80);
  const material = new MeshStandardMaterial({
    color: '#1d5283',
    roughness: 0.62,
    metalness: 0,
    flatShading: true,
  });
  return new Mesh(geometry, material);
}

function makeRocks() {
  const geometry = new IcosahedronGeometry(1.12, 1);
  const random = randomOf('rock');
  const { position } = geometry.attributes;
  // Vertices at the same place move together, so that the rock has no holes.
  const moved = new Map();
  for (let index = 0; index < position.count; index++) {
    const corner = [position.getX(index), position.getY(index), position.getZ(index)];
    const key = corner.map((part) => part.toFixed(3)).join();
    if (!moved.has(key)) moved.set(key, 0.82 + random() * 0.36);
    const by = moved.get(key);
    position.setXYZ(index, corner[0] * by, corner[1] * by, corner[2] * by);
  }
  geometry.computeVertexNormals();
  return new InstancedMesh(
    geometry,
    new MeshStandardMaterial({ color: '#7d8aa3', roughness: 0.95, flatShading: true }),
    rocksShown,
  );
}

/** Makes a boat as if folded from one sheet: two sides, two ends and a sail. */
function makeBoat() {
  const points = {
    bow: [0, 0.85, -1.9],
    stern: [0, 0.85, 1.7],
    left: [-0.7, 0.42, 0],
    right: [0.7, 0.42, 0],
    keelFore: [0, -0.15, -0.7],
    keelAft: [0, -0.15, 0.7],
    mast: [0, 1.7, -0.1],
    foot: [0, 0.3, -0.75],
    heel: [0, 0.3, 0.85],
  };
  const faces = [
    ['bow', 'keelFore', 'left'],
    ['left', 'keelFore', 'keelAft'],
    ['left', 'keelAft', 'stern'],
    ['bow', 'right', 'keelFore'],
    ['right', 'keelAft', 'keelFore'],
    ['right', 'stern', 'keelAft'],
    ['mast', 'foot', 'heel'],
  ];
  const geometry = new BufferGeometry();
  const corners = faces.flatMap((face) => face.flatMap((name) => points[name]));
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(corners), 3));
  geometry.computeVertexNormals();
  const hull = new Mesh(
    geometry,
    new MeshStandardMaterial({
      color: '#f4efe4',
      // Light of the lamp shines through the paper.
      emissive: '#6b5a48',
      side: DoubleSide,
      flatShading: true,
      roughness: 0.8,
    }),
  );
  const lamp = new Mesh(
    new BoxGeometry(0.16, 0.2, 0.16),
    new MeshStandardMaterial({ color: '#ffd98a', emissive: '#ffb445', emissiveIntensity: 2.4 }),
  );
  lamp.position.set(0, 0.95, -1.5);
  hull.add(lamp);
  return hull;
}

function glowTexture(colour = '#ffc46b', heart = 0.1) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const context = canvas.getContext('2d');
  const glow = context.createRadialGradient(32, 32, 0, 32, 32, 32);
  glow.addColorStop(0, colour);
  glow.addColorStop(heart, colour);
  glow.addColorStop(heart + 0.05, `${colour}66`);
  glow.addColorStop(1, `${colour}00`);
  context.fillStyle = glow;
  context.fillRect(0, 0, 64, 64);
  return new CanvasTexture(canvas);
}
