// Every way to read from an origin that is not allowed.
const away = name => 'http://127.0.0.1:FOREIGN/read/' + name;
const add = html => document.body.insertAdjacentHTML('beforeend', html);
const get = (name, more) => fetch(away(name), { mode: 'no-cors', ...more }).catch(() => {});
const reads = {
    fetch: () => get('fetch'),
    image: () => { new Image().src = away('image'); },
    style: () => add(`<link rel=stylesheet href="${away('style')}">`),
    background: () => add(`<p style="background: url(${away('background')})">x</p>`),
    script: () => document.body.append(Object.assign(document.createElement('script'),
        { src: away('script') })),
    module: () => import(away('module')).catch(() => {}),
    frame: () => add(`<iframe src="${away('frame')}"></iframe>`),
    object: () => add(`<object data="${away('object')}"></object>`),
    video: () => add(`<video src="${away('video')}" preload=auto></video>`),
    preload: () => add(`<link rel=preload as=image href="${away('preload')}">`),
    prefetch: () => add(`<link rel=prefetch href="${away('prefetch')}">`),
    preconnect: () => add(`<link rel=preconnect href="${away('preconnect')}">`),
    dns: () => add(`<link rel=dns-prefetch href="//dns.navigator.test">`),
    manifest: () => add(`<link rel=manifest href="${away('manifest')}">`),
    icon: () => add(`<link rel=icon href="${away('icon')}">`),
    events: () => { new EventSource(away('events')); },
    websocket: () => { new WebSocket(away('websocket').replace('http', 'ws')); },
    refresh: () => add(`<iframe src="/refresh"></iframe>`),
    redirect: () => fetch('/redirect-away', { mode: 'no-cors' }).catch(() => {}),
    popup: () => { open(away('popup')); },
    speculation: () => document.head.append(Object.assign(document.createElement('script'),
        { type: 'speculationrules', textContent: JSON.stringify(
            { prefetch: [{ urls: [away('speculation')], eagerness: 'immediate' }] }) })),
    turn: () => connectPeer({ urls: 'turn:127.0.0.1:FOREIGN?transport=tcp',
        username: 'u', credential: 'c' }),
    stun: () => connectPeer({ urls: 'stun:127.0.0.1:UDP' }),
    transport: () => { new WebTransport('https://127.0.0.1:UDP/').ready.catch(() => {}); },
};
function connectPeer(server) {
    const peer = new RTCPeerConnection({ iceServers: [server] });
    peer.createDataChannel('x');
    peer.createOffer().then(offer => peer.setLocalDescription(offer));
}
