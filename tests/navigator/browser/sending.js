// Every way to send to the page's own origin. `mark` tells the server that a way was tried.
const mark = name => fetch('/mark/' + name).catch(() => {});
const post = (name, more) => fetch('/sent/' + name, { method: 'POST', body: 'x', ...more })
    .catch(() => {}).then(() => mark(name));
const channels = {
    fetch: () => post('fetch'),
    keepalive: () => post('keepalive', { keepalive: true }),
    put: () => post('put', { method: 'PUT' }),
    delete: () => post('delete', { method: 'DELETE', body: undefined }),
    xhr: () => {
        const xhr = new XMLHttpRequest();
        xhr.open('POST', '/sent/xhr');
        xhr.onloadend = () => mark('xhr');
        xhr.send('x');
    },
    beacon: () => { navigator.sendBeacon('/sent/beacon', 'x'); mark('beacon'); },
    form: () => {
        document.body.insertAdjacentHTML('beforeend',
            `<iframe name=f></iframe>
             <form id=form method=post action=/sent/form target=f><input name=a value=1></form>`);
        document.getElementById('form').submit();
        mark('form');
    },
    ping: () => {
        document.body.insertAdjacentHTML('beforeend',
            `<a id=ping ping=/sent/ping href="#x">x</a>`);
        document.getElementById('ping').click();
        mark('ping');
    },
    worker: () => { new Worker('/worker.js?worker'); },
    nested: () => { new Worker('/nested.js'); },
    blob: () => {
        const text = `fetch('${location.origin}/sent/blob', { method: 'POST', body: 'x' })
            .catch(() => {}).then(() => fetch('${location.origin}/mark/blob'))`;
        new Worker(URL.createObjectURL(new Blob([text])));
    },
    shared: () => { new SharedWorker('/worker.js?shared'); },
    service: () => { navigator.serviceWorker.register('/worker.js?service'); },
    frame: () => { document.body.append(Object.assign(document.createElement('iframe'),
        { src: '/inner?frame' })); },
    other: () => { document.body.append(Object.assign(document.createElement('iframe'),
        { src: 'http://localhost:' + location.port + '/inner?other' })); },
    popup: () => { open('/inner?popup'); },
    blank: () => {
        const frame = document.body.appendChild(document.createElement('iframe'));
        frame.contentWindow.fetch(location.origin + '/sent/blank', { method: 'POST', body: 'x' })
            .catch(() => {}).then(() => mark('blank'));
    },
    csp: () => { document.body.append(Object.assign(document.createElement('iframe'),
        { src: '/csp' })); mark('csp'); },
    websocket: () => {
        const socket = new WebSocket('ws://' + location.host + '/sent/websocket');
        socket.onerror = socket.onopen = () => mark('websocket');
    },
    unload: () => { document.body.append(Object.assign(document.createElement('iframe'),
        { src: '/unload' })); },
};
